import sys;sys.path.insert(0,'/clones/proto');sys.path.insert(0,'/clones/rebuild')
import numpy as np,mech,time
from math import *
from proto_c import Kern
M={'pend':(mech.pend,10),'pin':(mech.pin,10),'chain':(mech.chain,1),'chain100':(lambda:mech.chain(100),1),'four1':(mech.fourbar_n,10),'four10':(lambda:mech.fourbar_n(10),10),'four40':(lambda:mech.fourbar_n(40),10),'cranks3':(mech.cranks3,10),'crankrock':(mech.crank_rocker,3),'slider':(mech.slider_crank,2),'gimbals':(mech.gimbals,3),'strut':(mech.strut,5),'top':(mech.top,5)}
def run(mk,T,fps,tol):
    k=Kern(mk());o=[];e=[];st=np.zeros(4);t=time.perf_counter()
    for f in range(round(T*fps)):
        if not k.frame(1/fps,tol): print('stuck at',f,k.rep.failures,k.rep.steps);break
        st+=(k.rep.steps,k.rep.events,k.rep.failures,k.rep.first_order)
        o.append(k.x[:k.n].copy());e.append(k.energy())
    return np.array(o),np.ptp(e) if not k.I.elements else 0,(time.perf_counter()-t)/T*1e3,st/len(o),k
if __name__=='__main__':
  for name in sys.argv[1:] or M:
    mk,T=M[name];ref=None
    for fps,tol in ((240,1e-10),(60,1e-8),(60,1e-6),(60,1e-5),(60,1e-4),(24,1e-6)):
        o,de,ms,st,k=run(mk,T,fps,tol)
        if fps==240: ref=o;r4=o[3::4];r10=o[9::10]
        q=o if fps==240 else o;rr=ref if fps==240 else (r4 if fps==60 else r10)
        l=min(len(q),len(rr));d=np.abs(q[:l]-rr[:l]).max() if l else nan
        print(f"{name:9s} {fps:3d} tol {tol:.0e} err {d:.1e} dE {de:.1e} ms/s {ms:.2f} steps {st[0]:.1f} fail {st[2]:.2f} first {st[3]:.2f}",flush=True)
