// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in of what Flamenco's Manager gives to job compiler scripts, as its manual and its built-in scripts describe it.
// node flamenco_author.js SCRIPT SETTINGS.json: prints the job type, and the tasks that the script makes of the settings.
"use strict";
const fs = require("node:fs");
const posix = require("node:path").posix;
const vm = require("node:vm");

function named(value, what) {
    if (typeof value !== "string" || !value.trim()) throw new Error(`${what} is required`);
    return value.trim();
}

function task(name, type) {
    const made = { name: named(name, "name"), type: named(type, "type"), commands: [], dependencies: [] };
    const methods = {
        addCommand: (one) => { made.commands.push(one); },
        addDependency: (one) => { made.dependencies.push(one.name); },
    };
    for (const key of Object.keys(methods)) Object.defineProperty(made, key, { value: methods[key] });
    return made;
}

// Words as a shell has them: quotes hold together, nothing else is special.
function shellSplit(text) {
    return [...text.matchAll(/(?:"([^"]*)"|'([^']*)'|(\S+))/g)].map((m) => m[1] ?? m[2] ?? m[3]);
}

const [script, settings] = process.argv.slice(2);
const job = { name: "Night", priority: 50, created: new Date(), settings: JSON.parse(fs.readFileSync(settings, "utf8")), tasks: [] };
job.addTask = (one) => { job.tasks.push(one); };
const context = vm.createContext({
    author: { Task: task, Command: (name, parameters, totalStepCount = 0) => ({ name, parameters, totalStepCount }) },
    path: { join: posix.join, basename: posix.basename, dirname: posix.dirname, stem: (one) => posix.parse(one).name },
    print: () => {}, alert: () => {}, shellSplit,
});
vm.runInContext(fs.readFileSync(script, "utf8"), context, { filename: script });
context.job = job;
vm.runInContext("compileJob(job)", context);
const type = vm.runInContext("JOB_TYPE", context);
process.stdout.write(JSON.stringify({ type, tasks: job.tasks }));
