import sys; sys.path.insert(0,'/clones/proto')
import numpy as np, time
from omi_physics_joint.solver.kinematics.coordinates import *
from omi_physics_joint.solver.dynamics.delassus import Delassus
from omi_physics_joint.solver.rotation import exponential
import mech, gk
# check kinematics by differences
rng=np.random.default_rng(1)
from scipy.spatial.transform import Rotation as Ro
N,S,nb,m=2,3,3,2
ends=np.array([0,1,1,2])
fr=Frames(ends,rng.normal(size=(N,4,3)),Ro.random(N*4,random_state=2).as_matrix().reshape(N,4,3,3),np.arange(12),np.array([1,1,1,1,0,0]*2,bool),rng.normal(size=(N,12))*.7*np.array([0,0,0,1,0,0]*2))
inv=np.ones((N,nb,6))
K=Kinematics(fr,inv)
x=rng.normal(size=(S,N,nb,3));R=Ro.random(S*N*nb,random_state=3).as_matrix().reshape(S,N,nb,3,3)
v=rng.normal(size=x.shape);w=rng.normal(size=x.shape)
e=K.evaluate(x,R,v,w)
def at(t):
    return x+t*v, R@exponential((t*w).reshape(-1,3)).reshape(R.shape)
h=1e-4
vals=[K.values(*at(t)) for t in (-h,0,h)]
print(np.abs(vals[1]-e.value).max(), np.abs((vals[2]-vals[0])/2/h-e.rate).max(), 'rate')
# body-axes spin const: world alpha = 0 since R w const (rotation about own w)
print(np.abs((vals[2]-2*vals[1]+vals[0])/h/h-e.drift).max(), np.abs(e.drift).max(),'drift')
sv=np.concatenate([v,w],-1)
J=np.zeros((S,N,12,nb,6))
j=K.joint
for r in range(12):
    J[:,:,r,ends[j[r]]]+=e.entries[:,:,r,0];J[:,:,r,ends[m+j[r]]]+=e.entries[:,:,r,1]
print(np.abs(np.einsum('snrbk,snbk->snr',J,sv)-e.rate).max(),'jac')
t=time.perf_counter()
for _ in range(300): K.evaluate(x,R,v,w)
print((time.perf_counter()-t)/300*1e6,'us')
