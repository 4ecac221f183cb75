// SPDX-License-Identifier: MIT
// One extension of a document, kept as it is: its JSON, and its nodes and meshes as edges of the
// graph, so that they are neither pruned nor numbered wrongly.

import { Extension, ExtensionProperty, PropertyType, RefMap } from '@gltf-transform/core';
import { put, referencesIn, take, withoutHoles } from './references.js';

/** What one node, or the document, says in one extension. */
export class Physics extends ExtensionProperty {
  init() {
    this.extensionName = '';
    this.propertyType = 'Physics';
    this.parentTypes = [PropertyType.NODE, PropertyType.ROOT];
  }

  getDefaults() {
    return Object.assign(super.getDefaults(), {
      json: {},
      nodes: new RefMap(),
      meshes: new RefMap(),
    });
  }

  /** The extension object as it was read; indices of nodes and meshes in it are out of date. */
  getJSON() {
    return this.get('json');
  }

  /**
   * Sets the extension object.
   *
   * @param {object} json - with the indices of a file.
   * @param {{nodes: import('@gltf-transform/core').Node[], meshes: import('@gltf-transform/core').Mesh[]}} file
   */
  setJSON(json, file) {
    for (const { path, kind, index } of referencesIn(json)) {
      if (file[kind][index]) this.setRefMap(kind, JSON.stringify(path), file[kind][index]);
    }
    return this.set('json', structuredClone(json));
  }

  /** The node that a path of the extension object names, such as ['connectedNode']; or null. */
  getNode(path) {
    return this.getRefMap('nodes', JSON.stringify(path));
  }

  /** The mesh that a path of the extension object names; or null. */
  getMesh(path) {
    return this.getRefMap('meshes', JSON.stringify(path));
  }

  /**
   * Returns the extension object as it is written, and which of its references are gone.
   *
   * @param {{nodes: Map<object, number>, meshes: Map<object, number>}} numbers
   */
  written(numbers) {
    const json = structuredClone(this.getJSON());
    const gone = [];
    for (const { path, kind } of [...referencesIn(json)]) {
      const index = numbers[kind].get(this.getRefMap(kind, JSON.stringify(path)));
      if (index !== undefined) put(json, path, index);
      else {
        gone.push(path);
        take(json, path);
      }
    }
    return { json: withoutHoles(json), gone };
  }
}

/** Reads and writes one extension, wherever it is in a file. */
export class PhysicsExtension extends Extension {
  /** Makes what a node or the root carries: `node.setExtension(name, physics)`. */
  createPhysics() {
    const physics = new this.constructor.Property(this.document.getGraph());
    physics.extensionName = this.extensionName;
    return physics;
  }

  read(context) {
    const { json } = context.jsonDoc;
    this._take(json, this.document.getRoot(), context);
    (json.nodes ?? []).forEach((node, index) => this._take(node, context.nodes[index], context));
    return this;
  }

  write(context) {
    const { json } = context.jsonDoc;
    const root = this.document.getRoot();
    this._give(root, json, context);
    for (const node of root.listNodes()) {
      this._give(node, json.nodes[context.nodeIndexMap.get(node)], context);
    }
    return this;
  }

  _take(definition, owner, context) {
    const said = definition.extensions?.[this.extensionName];
    if (said) owner.setExtension(this.extensionName, this.createPhysics().setJSON(said, context));
  }

  _give(owner, definition, context) {
    const physics = owner.getExtension(this.extensionName);
    if (!physics) return;
    const numbers = { nodes: context.nodeIndexMap, meshes: context.meshIndexMap };
    const { json, gone } = physics.written(numbers);
    for (const path of gone) {
      this.document.getLogger().warn(
        `${this.extensionName}: ${owner.getName() || 'a node'} named at ${path.join('/')} ` +
          'what is not in the document any more.',
      );
    }
    const left = this.complete(json, gone);
    if (left) (definition.extensions ??= {})[this.extensionName] = left;
  }

  /** Returns an extension object without the parts that mean nothing without what is gone. */
  complete(json, gone) {
    for (const [part] of gone) {
      const value = json[part];
      if (part === 'joint') delete json.joint;
      else if (part === 'trigger' && value?.nodes && !value.nodes.length) delete json.trigger;
      else if (part === 'collider' || part === 'trigger') {
        const geometry = value?.geometry;
        const named = ['shape', 'mesh', 'node'].some((key) => geometry?.[key] !== undefined);
        if (geometry && !named) delete json[part];
      } else if (['connectedNode', 'nodeA', 'nodeB'].includes(part)) return null;
    }
    return json;
  }
}

/** Returns the extension class of a name. */
export function extensionOf(name) {
  class Property extends Physics {
    static EXTENSION_NAME = name;

    init() {
      super.init();
      this.extensionName = name;
    }
  }
  return class extends PhysicsExtension {
    static EXTENSION_NAME = name;
    static Property = Property;
    extensionName = name;
  };
}
