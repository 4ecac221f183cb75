// SPDX-License-Identifier: GPL-3.0-or-later
// Rapier's impulse joints. Bodies begin unturned, so that local axes are those of the world; the
// turn of a body goes into the frame of its inertia.

let R;

export async function start(library) {
  R = library.default ?? library;
  await R.init();
}

const vector = ([x, y, z]) => ({ x, y, z });
const quaternion = ([x, y, z, w]) => ({ x, y, z, w });
const minus = (a, b) => a.map((x, i) => x - b[i]);

export function build(scene) {
  const world = new R.World(vector(scene.gravity));
  world.timestep = scene.step;
  const ground = world.createRigidBody(R.RigidBodyDesc.fixed());
  const bodies = scene.positions.map((position, i) => {
    const description = R.RigidBodyDesc.dynamic()
      .setTranslation(...position)
      .setCanSleep(false)
      .setAdditionalMassProperties(
        scene.masses[i],
        vector([0, 0, 0]),
        vector(scene.inertias[i]),
        quaternion(scene.rotations[i]),
      );
    return world.createRigidBody(description);
  });
  for (const joint of scene.joints) {
    const parent = joint.parent < 0 ? ground : bodies[joint.parent];
    const origin = joint.parent < 0 ? [0, 0, 0] : scene.positions[joint.parent];
    const here = vector(minus(joint.anchor, origin));
    const there = vector(minus(joint.anchor, scene.positions[joint.child]));
    const axis = vector(joint.axis);
    const data = {
      ball: () => R.JointData.spherical(here, there),
      hinge: () => R.JointData.revolute(here, there, axis),
      slider: () => R.JointData.prismatic(here, there, axis),
    }[joint.kind]();
    const made = world.createImpulseJoint(data, parent, bodies[joint.child], true);
    if (joint.bounds) made.setLimits(...joint.bounds);
    if (joint.stiffness) {
      made.configureMotorModel(R.MotorModel.ForceBased);
      made.configureMotor(0, 0, joint.stiffness, joint.damping);
    }
  }
  return {
    free: () => world.free(),
    frame() {
      for (let i = 0; i < scene.substeps; i++) world.step();
    },
    poses: () =>
      bodies.map((body) => {
        const [t, q] = [body.translation(), body.rotation()];
        const [v, w] = [body.linvel(), body.angvel()];
        return [t.x, t.y, t.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z];
      }),
  };
}
