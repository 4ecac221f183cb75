import sys,time,numpy as np,mech
def run(make,T,fps=60,sub=1,tol=1e-10):
    s=make();E0=s.energy();out=[];es=[];drift=0;sw=0
    s.project()
    E0=s.energy()
    c=time.process_time()
    for f in range(int(T*fps)):
        for _ in range(sub):
            if s.step(1/fps/sub,tol) is None: return None,None,f,s
            drift=max(drift,getattr(s,'drift',0));sw+=s.sweeps
        out.append(s.x.copy());es.append(s.energy()-E0)
    return np.array(out),np.array(es),drift,(time.process_time()-c,sw/T/fps/sub,s)
M={'pend':(mech.pend,2),'chain':(mech.chain,1),'four1':(mech.fourbar_n,10),'four10':(lambda:mech.fourbar_n(10),4),'cranks3':(mech.cranks3,5),'crankrock':(mech.crank_rocker,3),'slider':(mech.slider_crank,2),'gimbals':(mech.gimbals,3),'strut':(mech.strut,5),'top':(mech.top,3)}
import gk
gk.Isl.eps=float(sys.argv[1]);TOL=float(sys.argv[2]);subs=[int(x) for x in sys.argv[3].split(',')]
names=sys.argv[4:] or M
for k in names:
    mk,T=M[k];ref=None
    for sub in subs:
        try: o,e,dr,r=run(mk,T,sub=sub,tol=TOL)
        except np.linalg.LinAlgError as ex: print(k,sub,ex);continue
        if o is None: print(k,sub,'failed at frame',dr,r.t,["%.0e"%x for x in r.log]);continue
        if ref is None: ref=o
        n=len(o);d=np.abs(o-ref[:n]).max((1,2))
        print(f"{k:9s} sub {sub:2d} err {d.max():.1e} end {d[-1]:.1e} dE {np.abs(e).max():.1e} drift {dr:.1e} ms/s {r[0]/T*1e3:.0f} sweeps {r[1]:.1f}",flush=True)
