import sys
exec(open('/clones/rebuild/proto_cr.py').read().split("if __name__")[0])
from gk import Isl
HZ=mech.HZ
def go(k,T,fps,f):
    o=[];st=np.zeros(4)
    for q in range(round(T*fps)):
        if not k.frame(1/fps): print('  stuck',q,k.rep.failures,k.rep.steps,k.rep.events);break
        st+=(k.rep.steps,k.rep.events,k.rep.failures,k.rep.first_order);o.append(f(k))
    return np.array(o),st
print('arm');
for fps in (24,60,240,1920):
    k=Kern(mech.pend(),limits=[(0,5,-1.0,0.5)]);o,st=go(k,2,fps,lambda k:atan2(k.x[0,1],k.x[0,0]));print(fps,o[-1],st)
def soft(kk,c=0.):
    i=Isl([[1.,(.1,.1,.1),(0,0,0),None,(1,0,0)]],[(None,0,(0,0,0),None,(1,2,3,4,5))],gravity=(0,0,0))
    return Kern(i,elements=[(0,0,dict(k=kk,c=c,low=-inf,high=.5))])
for kk in (100,3600,5000,63000,1e6,1e9):
    for c in (0,20.):
        for fps in (24,60):
            k=soft(kk,c);o,st=go(k,1,fps,lambda k:k.x[0,0]);print('soft',kk,c,fps,k.v[0,0],st)
for hz in (1,5,10,20,40,80):
    for fps in (24,60):
        w=2*pi*hz;i=Isl([[1.,(.1,.1,.1),(0.1,0,0),None]],[(None,0,(0,0,0),None,(1,2,3,4,5),None,(0.1,0,0))],gravity=(0,0,0))
        k=Kern(i,elements=[(0,0,dict(k=w*w,c=0.,drive=True))]);o,st=go(k,2,fps,lambda k:k.x[0,0]);t=np.arange(1,len(o)+1)/fps
        print('spring',hz,fps,np.abs(o-.1*np.cos(w*t)).max()/.1,st)
for kk,c,mf,sp in ((1000,50,inf,0),(1e6,1e3,inf,0),(1e8,0,inf,0),(1e5,1e3,20.,0),(0,1e6,inf,.5),(0,1e5,12.,.5),(0,1e5,3.,2.)):
    ref=None
    for fps in (960,240,60,24):
        k=Kern(mech.pend(),elements=[(0,5,dict(k=kk,c=c,drive=True,target=1.,speed=sp,maxf=mf))]);o,st=go(k,2,fps,lambda k:k.x[0].copy());s=fps//12;o=o[s-1::s];ref=o if ref is None else ref;l=min(len(o),len(ref))
        print('drive',kk,c,mf,fps,np.abs(o[:l]-ref[:l]).max(),atan2(o[-1][1],o[-1][0]),st)
ref=None
for fps in (960,240,120,24):
    k=Kern(mech.slider_crank(),elements=[(3,0,dict(k=50000.,c=0.,low=-inf,high=.1))]);o,st=go(k,2,fps,lambda k:k.x[0].copy());s=fps//24;o=o[s-1::s];ref=o if ref is None else ref;l=min(len(o),len(ref));print('scsoft',fps,np.abs(o[:l]-ref[:l]).max(),st)
ref=None
for fps in (960,240,60,24):
    k=Kern(mech.chain(4),limits=[(j,5,-.4,.4) for j in range(1,4)]);o,st=go(k,2,fps,lambda k:k.x[:k.n].copy());s=fps//12;o=o[s-1::s];ref=o if ref is None else ref;l=min(len(o),len(ref));print('limited chain',fps,np.abs(o[:l]-ref[:l]).max(),st,k.energy())
