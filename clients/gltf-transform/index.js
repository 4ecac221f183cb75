// SPDX-License-Identifier: MIT
// Extensions of @gltf-transform/core that keep the physics of glTF files.

import { extensionOf } from './physics.js';

export const OMIPhysicsBody = extensionOf('OMI_physics_body');
export const OMIPhysicsJoint = extensionOf('OMI_physics_joint');
export const OMIPhysicsShape = extensionOf('OMI_physics_shape');
export const OMIPhysicsGravity = extensionOf('OMI_physics_gravity');
export const KHRPhysicsRigidBodies = extensionOf('KHR_physics_rigid_bodies');
export const KHRImplicitShapes = extensionOf('KHR_implicit_shapes');

/** All of them: `new NodeIO().registerExtensions(PHYSICS_EXTENSIONS)`. */
export const PHYSICS_EXTENSIONS = [
  OMIPhysicsBody,
  OMIPhysicsJoint,
  OMIPhysicsShape,
  OMIPhysicsGravity,
  KHRPhysicsRigidBodies,
  KHRImplicitShapes,
];
