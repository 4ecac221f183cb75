import sys;sys.path.insert(0,'/clones/proto')
import numpy as np,time,mech,proto_int as P
def run(make,T,fps,sub,tol):
    s=P.Batch([make()]);s.settle();E0=s.energy();o=[];es=[];dr=0;sw=0;ind=0
    c=time.process_time()
    for f in range(int(T*fps)):
        rem=1/fps;h=rem/sub
        while rem>1e-9:
            h=min(h,rem)
            if not s.collocate(h,tol):
                h*=.62;s.fails=getattr(s,'fails',0)+1
                if h<1e-5: return None,f,s.log
                continue
            rem-=h
            h=1/fps/sub if not getattr(s,'fails',0) else min(1/fps/sub,h*1.5)
            sw+=s.sweeps;dr=max(dr,s.drift);ind=max(ind,s.ind)
        o.append(s.x[0].copy());es.append(s.energy()-E0)
    return np.array(o),np.abs(es).max(),dr,sw/len(o)/sub,(time.process_time()-c)/T*1e3,ind,getattr(s,'fails',0)
M={'pend':(mech.pend,2),'chain':(mech.chain,1),'four1':(mech.fourbar_n,10),'four10':(lambda:mech.fourbar_n(10),2),'cranks3':(mech.cranks3,5),'crankrock':(mech.crank_rocker,3),'slider':(mech.slider_crank,2),'gimbals':(mech.gimbals,3),'strut':(mech.strut,5),'top':(mech.top,3)}
tol=float(sys.argv[1]);subs=[int(q) for q in sys.argv[2].split(',')]
for k in sys.argv[3:] or M:
    ref=None
    for sub in subs:
        r=run(M[k][0],M[k][1],60,sub,tol)
        if r[0] is None: print(k,sub,'failed',r[1],['%.0e'%q for q in r[2]],flush=True);continue
        o=r[0];ref=o if ref is None else ref
        print(f"{k:9s} {sub} err {np.abs(o-ref).max():.1e} dE {r[1]:.1e} drift {r[2]:.0e} sweeps {r[3]:.1f} ms/s {r[4]:.0f} ind {r[5]:.1e} fails {r[6]}",flush=True)
