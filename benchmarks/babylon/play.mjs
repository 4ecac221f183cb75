// SPDX-License-Identifier: GPL-3.0-or-later
// Loads glTF files into Babylon.js with Havok, without a window, and writes where bodies are before
// and after. It is bundled by engine.py, which also says where the loader's plugin is.
//
//     node play.js JOB.json
//
// A job has files, seconds, rate (steps a second), damped, and output.

import { readFileSync, writeFileSync } from "node:fs";
import HavokPhysics from "@babylonjs/havok";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin.js";
import { Scene } from "@babylonjs/core/scene.js";
import { GLTFFileLoader } from "@babylonjs/loaders/glTF/glTFFileLoader.js";
import { GLTF2 } from "@babylonjs/loaders/glTF/index.js";
import { KHR_ImplicitShapes_Plugin } from "rigid-body-loader/KHR_implicit_shapes";
import { KHR_PhysicsRigidBodies_Plugin } from "rigid-body-loader/KHR_rigid_bodies";

const WASM = "node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm";
const EARTH = new Vector3(0, -9.81, 0);
const STATIC = 0;
const ALWAYS_ACTIVE = 1;

GLTF2.GLTFLoader.RegisterExtension(
  "KHR_implicit_shapes", (loader) => new KHR_ImplicitShapes_Plugin(loader));
GLTF2.GLTFLoader.RegisterExtension(
  "KHR_physics_rigid_bodies", (loader) => new KHR_PhysicsRigidBodies_Plugin(loader));

/** Return place and turn of every body that moves, by the name of its node. */
function poses(bodies) {
  const found = {};
  for (const body of bodies) {
    const node = body.transformNode;
    if (body.getMotionType() === STATIC) continue;
    node.computeWorldMatrix(true);
    found[node.name] = [
      ...node.absolutePosition.asArray(), ...node.absoluteRotationQuaternion.asArray()];
  }
  return found;
}

/** Load a file, step it, and return both sets of poses. */
async function play(engine, havok, file, job) {
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  const plugin = new HavokPlugin(false, havok);
  scene.enablePhysics(EARTH, plugin);
  try {
    const json = JSON.parse(readFileSync(file, "utf8"));
    await new GLTFFileLoader().importMeshAsync(null, scene, { json, bin: null }, "", undefined, file);
    const physics = scene.getPhysicsEngine();
    const bodies = physics.getBodies();
    for (const body of bodies) {
      plugin.setActivationControl(body, ALWAYS_ACTIVE); // or small steps send it to sleep where it turns
      if (!job.damped) {
        body.setLinearDamping(0);
        body.setAngularDamping(0);
      }
    }
    const start = poses(bodies);
    plugin.setTimeStep(1 / job.rate);
    for (let step = Math.round(job.seconds * job.rate); step > 0; step--) physics._step(1 / job.rate);
    return { start, end: poses(bodies) };
  } catch (error) {
    return { error: String(error) };
  } finally {
    scene.dispose();
  }
}

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const havok = await HavokPhysics({ wasmBinary: readFileSync(new URL(WASM, import.meta.url)) });
const engine = new NullEngine();
const found = {};
for (const file of job.files) found[file] = await play(engine, havok, file, job);
writeFileSync(job.output, JSON.stringify(found));
process.exit(0);
