// SPDX-License-Identifier: GPL-3.0-or-later
// One scene in a JavaScript engine. Lines of JSON come in, one answer goes out for each:
// {"scene": ...} builds it, "frame" advances and answers its milliseconds, "poses" tells them.
// Run with the name of the engine's file and the folder that holds node_modules.

import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [engineFile, packageName, folder] = process.argv.slice(2);
const require = createRequire(join(folder, "any.js"));
const library = await import(pathToFileURL(require.resolve(packageName)).href);
const engine = await import(engineFile);
await engine.start(library);

let world = null;
for await (const line of createInterface({ input: process.stdin })) {
  const word = JSON.parse(line);
  let answer = 0;
  if (word === "frame") {
    const begin = performance.now();
    world.frame();
    answer = performance.now() - begin;
  } else if (word === "poses") {
    answer = world.poses();
  } else {
    world?.free();
    world = engine.build(word.scene);
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
