// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the Khronos glTF validator over files and prints one JSON list, one object a file:
//   {"file", "errors", "warnings", "infos", "hints", "messages": [{code, message, severity, pointer}]}
// Usage: node scripts/khronos_validate.mjs FILE...
// The validator is the npm package that `scripts/bootstrap.py node` fetches.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const venvs = process.env.OMI_VENVS || path.join(root, ".venv");
const nodeFolder = path.join(path.resolve(venvs), "node");

function loadValidator() {
  try {
    return createRequire(pathToFileURL(path.join(nodeFolder, "anchor.js")))("gltf-validator");
  } catch (error) {
    console.error(`no gltf-validator in ${nodeFolder}: run python3 scripts/bootstrap.py node`);
    process.exit(2);
  }
}

async function validate(validator, file) {
  const folder = path.dirname(path.resolve(file));
  const bytes = new Uint8Array(await readFile(file));
  const report = await validator.validateBytes(bytes, {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(path.join(folder, decodeURIComponent(uri)))),
  });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  return {
    file,
    errors: numErrors,
    warnings: numWarnings,
    infos: numInfos,
    hints: numHints,
    messages,
  };
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node scripts/khronos_validate.mjs FILE...");
  process.exit(2);
}
const validator = loadValidator();
const reports = [];
for (const file of files) {
  try {
    reports.push(await validate(validator, file));
  } catch (error) {
    const message = { code: "UNREADABLE", message: String(error), severity: 0, pointer: "" };
    reports.push({ file, errors: 1, warnings: 0, infos: 0, hints: 0, messages: [message] });
  }
}
console.log(JSON.stringify(reports, null, 2));
