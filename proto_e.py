import sys;sys.path.insert(0,'/clones/proto')
import numpy as np,mech,time
from math import *
from gk import Isl
from proto_one import *
import warnings;warnings.simplefilter('ignore')
def run(s,T,fps,f=lambda s:s.x[0].copy()):
    o=[];s.settle();t=time.process_time();E0=None;ns=0
    for k in range(round(T*fps)):
        if not s.frame(1/fps): print('gave up at frame',k,s.t,getattr(s,'log',None),s.nsteps,s.fails);break
        ns+=s.nsteps
        o.append(f(s))
    return np.array(o),(time.process_time()-t)/T*1e3,ns/len(o) if o else 0
HZ=mech.HZ
def arm(): # hinge arm falls onto a bound at -60 deg
    return One(mech.pend(),limits=[(0,5,-1.0,0.5)])
if 'arm' in sys.argv:
  for fps in (24,60,240):
    s=arm();o,ms,ns=run(s,2,fps);print('arm',fps,o[-1][0],atan2(o[-1][0,1],o[-1][0,0]),'events',s.events,'ms/s %.0f'%ms,ns)
def soft(k,c=0.):
    i=mech.Isl([[1.,(.1,.1,.1),(0,0,0),None,(1,0,0)]],[(None,0,(0,0,0),None,(1,2,3,4,5))],gravity=(0,0,0))
    return One(i,elements=[(0,0,dict(k=k,c=c,low=-inf,high=.5))])
if 'soft' in sys.argv:
  for k in (100,3600,5000,63000,1e6,1e9):
   for c in (0,20.):
    for fps in (24,60):
      s=soft(k,c);o,ms,ns=run(s,1,fps);v=s.s[0,0,0];print('soft',k,c,fps,'v after',v,'events',s.events,'ms/s %.0f'%ms,ns)
def spring(hz):
    w=2*pi*hz;i=mech.Isl([[1.,(.1,.1,.1),(0.1,0,0),None]],[(None,0,(0,0,0),None,(1,2,3,4,5),None,(0.1,0,0))],gravity=(0,0,0))
    return One(i,elements=[(0,0,dict(k=w*w,c=0.,drive=True))]),w
if 'spring' in sys.argv:
  for hz in (1,5,10,20,40,80):
    for fps in (24,60):
      s,w=spring(hz);o,ms,ns=run(s,2,fps,lambda s:s.x[0,0,0]);t=np.arange(1,len(o)+1)/fps
      print('spring',hz,fps,'err',np.abs(o-.1*np.cos(w*t)).max()/.1,'ms/s %.0f'%ms,ns)
def scsoft():
    i=mech.slider_crank();# joint 3 slides along x; soft stop at value
    return One(i,elements=[(3,0,dict(k=50000.,c=0.,low=-inf,high=.1))])
if 'scsoft' in sys.argv:
  ref=None
  for fps in (960,240,60,24):
    s=scsoft();o,ms,ns=run(s,2,fps);o=o[fps//24*1-1::fps//24] if fps!=60 else o[4::5]
    if fps==60: r=ref[1::2]
    else:
      ref=o if ref is None else ref; r=ref
    print('scsoft',fps,np.abs(o-r[:len(o)]).max(),'events',s.events,'ms/s %.0f'%ms,ns)
def drive(k,c,mf):
    i=mech.pend();return One(i,elements=[(0,5,dict(k=k,c=c,drive=True,target=1.,maxf=mf))])
if 'drive' in sys.argv:
  for k,c,mf in ((1000,50,inf),(1e6,1e3,inf),(1e8,0,inf),(1e5,1e3,20.),(0,1e6,inf)):
    ref=None
    for fps in (480,60,24):
      s=drive(k,c,mf);o,ms,ns=run(s,2,fps);st=fps//12;o=o[st-1::st]
      ref=o if ref is None else ref
      print('drive',k,c,mf,fps,np.abs(o-ref).max(),'end',atan2(o[-1][0,1],o[-1][0,0]),'events',s.events,'ms/s %.0f'%ms,ns)
