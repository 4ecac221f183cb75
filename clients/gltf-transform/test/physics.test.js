// SPDX-License-Identifier: MIT
// Physics goes through glTF Transform: nothing is lost, and indices lead where they led.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeIO } from '@gltf-transform/core';
import { cloneDocument, dedup, prune, reorder, unpartition, weld } from '@gltf-transform/functions';
import { MeshoptEncoder } from 'meshoptimizer';
import { PHYSICS_EXTENSIONS } from '../index.js';

const OMI = ['OMI_physics_body', 'OMI_physics_joint', 'OMI_physics_shape'];
const KHR = ['KHR_physics_rigid_bodies', 'KHR_implicit_shapes'];
const io = new NodeIO().registerExtensions(PHYSICS_EXTENSIONS);

/** Returns a file with a door, its collision mesh, unused things before them, and two dialects. */
function scene() {
  const points = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const bytes = new Uint8Array(points.buffer);
  const accessor = { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] };
  const mesh = (name) => ({ name, primitives: [{ attributes: { POSITION: 0 } }] });
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: [...OMI, ...KHR, 'OMI_physics_gravity'],
    extensions: {
      OMI_physics_gravity: { gravity: 1.62 },
      OMI_physics_shape: { shapes: [{ type: 'convex', convex: { mesh: 2 } }, { type: 'box', box: { size: [1, 2, 3] } }] },
      OMI_physics_joint: { physicsJoints: [{ name: 'Hinge', limits: [{ linearAxes: [0, 1, 2], min: 0, max: 0 }] }], X_own: { node: 1, extras: { node: 0 } } },
      KHR_implicit_shapes: { shapes: [{ type: 'box', box: { size: [1, 2, 3] } }] },
      KHR_physics_rigid_bodies: { physicsJoints: [{ limits: [{ linearAxes: [0, 1, 2], min: 0, max: 0 }] }] },
    },
    scenes: [{ nodes: [0, 1, 3, 6] }],
    scene: 0,
    meshes: [mesh('Unused'), mesh('Door'), { ...mesh('Hull'), extras: { of: 'hull' } }],
    nodes: [
      { name: 'Empty' },
      { name: 'Frame', children: [2], extensions: { OMI_physics_body: { motion: { type: 'static' } } } },
      { name: 'Frame Attachment', translation: [0.5, 0, 0] },
      {
        name: 'Door',
        mesh: 1,
        children: [4, 5],
        extensions: {
          OMI_physics_body: { motion: { type: 'dynamic' }, collider: { shape: 0 } },
          KHR_physics_rigid_bodies: {
            motion: { mass: 1 },
            collider: { geometry: { node: 5, mesh: 2, convexHull: true } },
          },
        },
      },
      {
        name: 'Door Hinge',
        extensions: {
          OMI_physics_joint: { joint: 0, connectedNode: 2 },
          KHR_physics_rigid_bodies: { joint: { joint: 0, connectedNode: 2 } },
        },
      },
      { name: 'Door Hull', mesh: 2 },
      { name: 'Zone', extensions: { OMI_physics_body: { trigger: { nodes: [7, 8] } } }, children: [7, 8] },
      { name: 'Part A', extensions: { OMI_physics_body: { trigger: { shape: 1 } } } },
      { name: 'Part B', extensions: { OMI_physics_body: { trigger: { shape: 1 } } } },
    ],
    accessors: [accessor],
    bufferViews: [{ buffer: 0, byteLength: bytes.length }],
    buffers: [{ byteLength: bytes.length, uri: 'points.bin' }],
  };
  return { json, resources: { 'points.bin': bytes } };
}

/** Returns what a file says with names in place of indices. */
function named({ json }) {
  const node = (index) => json.nodes[index].name;
  const mesh = (index) => json.meshes[index].name;
  const swap = (value, key) => {
    if (key === 'extras') return value;
    if (['connectedNode', 'node'].includes(key)) return node(value);
    if (key === 'nodes') return value.map(node);
    if (key === 'mesh') return mesh(value);
    if (Array.isArray(value)) return value.map((item) => swap(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, swap(item, name)]));
  };
  const nodes = json.nodes.filter((one) => one.extensions).map((one) => [one.name, swap(one.extensions)]);
  return { document: swap(json.extensions), nodes: Object.fromEntries(nodes) };
}

async function through(...transforms) {
  const document = await io.readJSON(scene());
  if (transforms.length) await document.transform(...transforms);
  return io.writeJSON(document);
}

test('reading and writing keeps all of it', async () => {
  const { json } = await through();
  assert.deepEqual(named({ json }), named(scene()));
  assert.deepEqual(new Set(json.extensionsUsed), new Set([...OMI, ...KHR, 'OMI_physics_gravity']));
});

test('what is pruned is what nobody uses, and indices follow', async () => {
  const { json } = await through(prune());
  const names = json.nodes.map((node) => node.name);
  assert.ok(!names.includes('Empty'));
  assert.ok(names.includes('Frame Attachment'));
  assert.deepEqual(json.meshes.map((mesh) => mesh.name).sort(), ['Door', 'Hull']);
  assert.deepEqual(named({ json }), named(scene()));
  const hinge = json.nodes.find((one) => one.name === 'Door Hinge');
  assert.notEqual(hinge.extensions.OMI_physics_joint.connectedNode, 2);
});

test('duplicates are merged and references follow to the one that stays', async () => {
  const document = await io.readJSON(scene());
  const [, , hull] = document.getRoot().listMeshes();
  hull.setExtras({});
  await document.transform(dedup({ keepUniqueNames: false }), prune());
  const { json } = await io.writeJSON(document);
  assert.equal(json.meshes.length, 1);
  assert.equal(json.extensions.OMI_physics_shape.shapes[0].convex.mesh, 0);
  const door = json.nodes.find((one) => one.name === 'Door').extensions;
  assert.equal(door.KHR_physics_rigid_bodies.collider.geometry.mesh, 0);
});

test('reorder, weld and unpartition leave physics alone', async () => {
  await MeshoptEncoder.ready;
  for (const transforms of [[weld(), reorder({ encoder: MeshoptEncoder })], [unpartition()]]) {
    assert.deepEqual(named(await through(...transforms)), named(scene()));
  }
});

test('nodes in another order are numbered anew', async () => {
  const document = await io.readJSON(scene());
  const root = document.getRoot();
  const [first] = root.listNodes();
  first.dispose();
  const extra = document.createNode('Late');
  root.listScenes()[0].addChild(extra);
  assert.deepEqual(named(await io.writeJSON(document)).nodes['Door Hinge'], named(scene()).nodes['Door Hinge']);
});

test('what names a node that is gone is left out, and said', async () => {
  const document = await io.readJSON(scene());
  const said = [];
  document.setLogger({ debug() {}, info() {}, error() {}, warn: (text) => said.push(text) });
  for (const node of document.getRoot().listNodes()) {
    if (['Frame Attachment', 'Part A', 'Door Hull'].includes(node.getName())) node.dispose();
  }
  const { json } = await io.writeJSON(document);
  const hinge = json.nodes.find((one) => one.name === 'Door Hinge');
  assert.equal(hinge.extensions?.OMI_physics_joint, undefined);
  assert.equal(hinge.extensions?.KHR_physics_rigid_bodies?.joint, undefined);
  const zone = json.nodes.find((one) => one.name === 'Zone').extensions.OMI_physics_body;
  assert.deepEqual(zone.trigger.nodes.map((index) => json.nodes[index].name), ['Part B']);
  const { geometry } = json.nodes.find((one) => one.name === 'Door').extensions.KHR_physics_rigid_bodies.collider;
  assert.deepEqual({ ...geometry, mesh: json.meshes[geometry.mesh].name }, { mesh: 'Hull', convexHull: true });
  assert.ok(said.some((text) => text.includes('Door Hinge named at connectedNode')));
});

test('a joint of the older form to the world keeps its body', async () => {
  const file = scene();
  const older = { constraints: [0], nodeA: 3, nodeB: -1 };
  file.json.nodes[4].extensions = { OMI_physics_joint: older };
  const { json } = await io.writeJSON(await (await io.readJSON(file)).transform(prune()));
  const { nodeA, nodeB } = json.nodes.find((one) => one.name === 'Door Hinge').extensions.OMI_physics_joint;
  assert.deepEqual([json.nodes[nodeA].name, nodeB], ['Door', -1]);
});

test('without the extensions all of it is lost', async () => {
  const document = await new NodeIO().readJSON(scene());
  const { json } = await new NodeIO().writeJSON(document);
  assert.equal(json.extensions, undefined);
  assert.ok(json.nodes.every((one) => !one.extensions));
});

test('a clone of a document has it too', async () => {
  const copy = cloneDocument(await io.readJSON(scene()));
  assert.deepEqual(named(await io.writeJSON(copy)), named(scene()));
});
