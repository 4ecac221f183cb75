// SPDX-License-Identifier: MIT
// A job type of Flamenco 3: all .blend files of a folder as glTF with physics joints, a task for each part of them.

const JOB_TYPE = {
    label: "OMI Physics Export",
    description: "Write all .blend files of a folder as glTF with physics joints, shared out among workers",
    settings: [
        { key: "scenes", type: "string", subtype: "dir_path", required: true,
          eval: "str(abspath('//'))",
          evalInfo: { showLinkButton: true, description: "Folder of this file" },
          description: "Folder of .blend files, and of folders with more of them, that all workers see" },
        { key: "output_dir", type: "string", subtype: "dir_path", required: true,
          eval: "str(abspath('//') / 'build')",
          evalInfo: { showLinkButton: true, description: "build beside this file" },
          description: "Folder for what is written, and for a report of each task" },
        { key: "tasks", type: "int32", required: true, default: 10, propargs: { min: 1, max: 10000 },
          description: "How many parts the files are shared out into, by their names" },
        { key: "jobs", type: "int32", required: true, default: 1, propargs: { min: 1, max: 256 },
          description: "How many Blenders a worker keeps busy at once" },
        { key: "timeout", type: "int32", required: true, default: 600, propargs: { min: 1 },
          description: "Seconds after which a file is given up" },
        { key: "format", type: "string", required: true, default: "glb",
          choices: ["glb", "gltf", "usda", "usdc", "usd", "usdz", "xml", "mjcf", "urdf"],
          description: "Format of what is written; xml and mjcf are MJCF" },
        { key: "strict", type: "bool", required: true, default: false,
          description: "Write nothing of a file with errors or losses" },
        { key: "fail_on", type: "string", required: true, default: "error",
          choices: ["error", "loss", "warning"],
          description: "What makes a task fail; each has those before it in it" },
        { key: "run_scripts", type: "bool", required: true, default: false,
          description: "Let Python in .blend files run, as in drivers" },
        { key: "more_words", type: "string", required: false, default: "",
          description: "Further words of the command, as --dialect khr" },
    ]
};

function compileJob(job) {
    const settings = job.settings;
    for (let part = 1; part <= settings.tasks; part++) {
        const task = author.Task(`export-${part}-of-${settings.tasks}`, "blender");
        task.addCommand(author.Command("exec", { exe: "{blender}", args: wordsOf(settings, part) }));
        job.addTask(task);
    }
}

// What Blender is called with for one part. {blenderArgs} stays out: it would be one word, and -y in it is for run_scripts to say.
function wordsOf(settings, part) {
    const report = path.join(settings.output_dir, `night_${part}.jsonl`);
    return [
        "-b", "--command", "omi_physics_joint", "export", settings.scenes, "-r",
        "--output-dir", settings.output_dir, "--tree", "--format", settings.format,
        "--shard", `${part}/${settings.tasks}`, "--report", report, "-j", `${settings.jobs}`,
        "--timeout", `${settings.timeout}`, "--fail-on", settings.fail_on,
        "--scripts", settings.run_scripts ? "allow" : "deny",
        ...(settings.strict ? ["--strict"] : []),
        ...shellSplit(settings.more_words || ""),
    ];
}
