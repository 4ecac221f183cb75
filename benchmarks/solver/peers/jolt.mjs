// SPDX-License-Identifier: GPL-3.0-or-later
// Jolt Physics compiled to WebAssembly, in single precision, with its default iterations.

let J;

export async function start(library) {
  J = await library.default();
}

const LAYERS = 1;
const vector = (v) => new J.Vec3(...v);
const place = (v) => new J.RVec3(...v);

function emptyWorld(scene) {
  const settings = new J.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  settings.mMaxBodies = scene.positions.length + 16;
  const pairs = new J.ObjectLayerPairFilterTable(LAYERS); // nothing collides unless it is said
  const broad = new J.BroadPhaseLayerInterfaceTable(LAYERS, 1);
  broad.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(
    broad, 1, pairs, LAYERS,
  );
  return new J.JoltInterface(settings);
}

function makeBody(bodies, scene, i) {
  const size = scene.sizes[i];
  const half = vector(size.map((x) => x / 2));
  const settings = new J.BodyCreationSettings(
    new J.BoxShape(half, 0.0), place(scene.positions[i]), new J.Quat(...scene.rotations[i]),
    J.EMotionType_Dynamic, 0,
  );
  settings.mLinearDamping = settings.mAngularDamping = 0;
  settings.mMaxAngularVelocity = settings.mMaxLinearVelocity = 1e6;
  settings.mAllowSleeping = false;
  settings.mOverrideMassProperties = J.EOverrideMassProperties_MassAndInertiaProvided;
  const density = scene.masses[i] / (size[0] * size[1] * size[2]);
  settings.mMassPropertiesOverride.SetMassAndInertiaOfSolidBox(vector(size), density);
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), J.EActivation_Activate);
  return body;
}

function across([x, y, z]) {
  const hint = Math.abs(x) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const n = [y * hint[2] - z * hint[1], z * hint[0] - x * hint[2], x * hint[1] - y * hint[0]];
  const length = Math.hypot(...n);
  return n.map((part) => part / length);
}

function makeJoint(joint, parent, child) {
  const names = { ball: "Point", hinge: "Hinge", slider: "Slider" };
  const settings = new J[`${names[joint.kind]}ConstraintSettings`]();
  settings.mSpace = J.EConstraintSpace_WorldSpace;
  settings.mPoint1 = settings.mPoint2 = place(joint.anchor);
  if (joint.kind !== "ball") {
    const axis = `m${names[joint.kind]}Axis`;
    settings[`${axis}1`] = settings[`${axis}2`] = vector(joint.axis);
    settings.mNormalAxis1 = settings.mNormalAxis2 = vector(across(joint.axis));
  }
  if (joint.bounds) [settings.mLimitsMin, settings.mLimitsMax] = joint.bounds;
  if (joint.stiffness) {
    const spring = settings.mMotorSettings.mSpringSettings;
    spring.mMode = J.ESpringMode_StiffnessAndDamping;
    spring.mStiffness = joint.stiffness;
    spring.mDamping = joint.damping;
  }
  const made = settings.Create(parent, child);
  if (joint.stiffness) {
    const slider = J.castObject(made, J.SliderConstraint);
    slider.SetMotorState(J.EMotorState_Position);
    slider.SetTargetPosition(0);
  }
  return made;
}

export function build(scene) {
  const jolt = emptyWorld(scene);
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(vector(scene.gravity));
  const interface_ = system.GetBodyInterface();
  const ground = J.JoltInterface.prototype.sGetFixedToWorldBody();
  const bodies = scene.positions.map((_, i) => makeBody(interface_, scene, i));
  for (const joint of scene.joints) {
    const parent = joint.parent < 0 ? ground : bodies[joint.parent];
    system.AddConstraint(makeJoint(joint, parent, bodies[joint.child]));
  }
  return {
    free: () => J.destroy(jolt),
    frame() {
      for (let i = 0; i < scene.substeps; i++) jolt.Step(scene.step, 1);
    },
    poses: () =>
      bodies.map((body) => {
        const three = (v) => [v.GetX(), v.GetY(), v.GetZ()];
        const q = body.GetRotation();
        const turn = [q.GetX(), q.GetY(), q.GetZ(), q.GetW()];
        const place_ = three(body.GetPosition());
        const speed = three(body.GetLinearVelocity());
        return [...place_, ...turn, ...speed, ...three(body.GetAngularVelocity())];
      }),
  };
}
