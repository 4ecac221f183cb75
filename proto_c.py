import sys;sys.path.insert(0,'/clones/proto');sys.path.insert(0,'/clones/rebuild')
import ctypes as ct,numpy as np,time
from math import *
from gk import mat
P=ct.POINTER;D=P(ct.c_double);I=P(ct.c_int)
class Island(ct.Structure):
    _fields_=[(k,ct.c_int) for k in 'bodies others joints rows elements closed'.split()]+[('size',ct.c_double)]+[(k,t) for k,t in [('roots',D),('weight',D),('ends',I),('anchors',D),('axes',D),('row_start',I),('coordinate',I),('kind',I),('hold',D),('low',D),('high',D),('element_row',I),('is_drive',I),('one_sided',I),('accelerates',I),('stiffness',D),('damping',D),('soft_low',D),('soft_high',D),('target',D),('speed',D),('max_force',D)]]+[('nodes',ct.c_int),('blocks',ct.c_int)]+[(k,I) for k in 'order later_start later_node update'.split()]
class State(ct.Structure):
    _fields_=[(k,D) for k in 'position rotation velocity value half excess guess span'.split()]+[('side',I),('mode',I)]
class Report(ct.Structure):
    _fields_=[(k,ct.c_int) for k in 'steps events first_order failures'.split()]+[('gap',ct.c_double)]
lib=ct.CDLL('/tmp/omi.so')
lib.omi_step.argtypes=[P(Island),P(State),D,ct.c_double,ct.c_double,ct.c_double,D,D,P(Report)]
lib.omi_begin.argtypes=[P(Island),P(State),D,ct.c_int,D]
def plan(n,ends):
    m=len(ends);adj={i:set() for i in range(n+m)}
    for j,(a,b) in enumerate(ends):
        for x in (a,b):
            if x<n: adj[x].add(n+j);adj[n+j].add(x)
    left=set(adj);order=[];later={};ready=set(range(n))
    while left:
        k=min(left,key=lambda q:(q not in ready,len(adj[q]),q>=n,q));nb=set(adj[k]);order.append(k);later[k]=nb;left.discard(k);ready|=nb if k<n else set()
        for i in nb:
            adj[i].discard(k);adj[i]|=nb-{i}
    place={k:i for i,k in enumerate(order)};ls=[0];ln=[];blk={}
    for k in order:
        for i in sorted(later[k],key=place.get): blk[k,i]=len(ln);ln.append(i)
        ls.append(len(ln))
    up=[]
    for k in order:
        L=ln[ls[place[k]]:ls[place[k]+1]]
        for jj,j in enumerate(L):
            for i in L[:jj]: up.append(blk[i,j])
    return order,ls,ln,up
class Kern:
    def __init__(s,isl,limits=(),elements=(),size=1.):
        isl.project()
        n=s.n=isl.n;m=len(isl.a);rows=[[] for _ in range(m)]
        for j,a in isl.rows: rows[j].append((a,1,-inf,inf))
        for j,a,lo,hi in limits: rows[j].append((a,0,lo,hi))
        els=[(j,a,kw) for j,a,kw in elements]+[(p[0],p[1],dict(k=p[2],c=p[3],drive=True,target=p[4])) for p in isl.sp]
        for j,a,kw in els:
            if not any(r[0]==a for r in rows[j]): rows[j].append((a,0,-inf,inf))
        for r in rows: r.sort()
        s.rs=np.cumsum([0]+[len(r) for r in rows]).astype(np.int32);flat=[x for r in rows for x in r];R=s.r=len(flat)
        idx={(j,x[0]):s.rs[j]+k for j,r in enumerate(rows) for k,x in enumerate(r)}
        s.idx=idx
        f=lambda x:np.ascontiguousarray(x,dtype=np.float64);g=lambda x:np.ascontiguousarray(x,dtype=np.int32)
        K={}
        K['roots']=f(isl.rm);w=np.zeros((n,6));w[:,:3]=isl.rm[:,:3]*isl.g;K['weight']=f(w)
        K['ends']=g(np.stack([isl.a,isl.b],1));K['anchors']=f(np.stack([isl.ra,isl.rb],1))
        K['axes']=f(np.stack([mat(isl.fa),mat(isl.fb)],1));K['row_start']=s.rs;K['coordinate']=g([x[0] for x in flat]);K['kind']=g([x[1] for x in flat])
        K['hold']=f(np.zeros(R));K['low']=f([x[2] for x in flat]);K['high']=f([x[3] for x in flat])
        K['element_row']=g([idx[j,a] for j,a,kw in els]+[0]);K['is_drive']=g([1 if kw.get('drive') else 0 for j,a,kw in els]+[0]);K['accelerates']=g([0]*(len(els)+1));K['one_sided']=g([0 if kw.get('drive') or kw.get('low')==kw.get('high') else 1 for j,a,kw in els]+[0])
        for nm,key,d in (('stiffness','k',0),('damping','c',0),('soft_low','low',-inf),('soft_high','high',inf),('target','target',0),('speed','speed',0),('max_force','maxf',inf)):
            K[nm]=f([kw.get(key,d) for j,a,kw in els]+[0])
        od,ls,ln,up=plan(n,np.stack([isl.a,isl.b],1).tolist())
        K['order']=g(od);K['later_start']=g(ls);K['later_node']=g(ln+[0]);K['update']=g(up+[0])
        s.keep=K
        p=lambda a:a.ctypes.data_as(D if a.dtype==np.float64 else I)
        s.I=Island(n,1,m,R,len(els),int(bool(isl.loops)),size,**{k:p(v) for k,v in K.items()},nodes=n+m,blocks=len(ln))
        s.x=f(np.vstack([isl.x,np.zeros(3)]));s.rot=f(np.concatenate([mat(isl.q),np.eye(3)[None]]));s.v=f(isl.s);s.value=np.zeros(R+1);s.guess=np.zeros((3,n,6));s.span=np.zeros(4);s.half=np.zeros((m,4));s.exc=np.zeros(R+1);s.side=np.zeros(R+1,np.int32);s.mode=np.ones(len(els)+1,np.int32)
        s.S=State(p(s.x),p(s.rot),p(s.v),p(s.value),p(s.half),p(s.exc),p(s.guess),p(s.span),p(s.side),p(s.mode))
        s.other=np.zeros(6);s.imp=np.zeros(6*m);s.work=np.zeros(lib.omi_workspace(ct.byref(s.I)));s.rep=Report();s.p=p
        s.isl=isl
        lib.omi_begin(ct.byref(s.I),ct.byref(s.S),p(s.other),0,p(s.work))
        s.args=(ct.byref(s.I),ct.byref(s.S),p(s.other));s.args2=(p(s.imp),p(s.work),ct.byref(s.rep))
    def frame(s,dt,tol=1e-6):
        return lib.omi_step(*s.args,dt,dt,tol,*s.args2)==1
    def energy(s):
        i=s.isl;return .5*(s.v**2).sum()-(i.m*(s.x[:s.n]@i.g)).sum()
