"""Batch integrator prototype on the new kinematics: fast road + slow road with guards."""
import numpy as np
from math import sqrt, pi, ceil, inf
from omi_physics_joint.solver.kinematics.coordinates import *
from omi_physics_joint.solver.kinematics.coordinates import Kinematics, Frames
from omi_physics_joint.solver.dynamics.delassus import Delassus
from omi_physics_joint.solver.rotation import exponential, cross, orthonormalized, rotation_vector
S15=sqrt(15)
C=np.array([.5-S15/10,.5,.5+S15/10])
Am=np.array([[5/36,2/9-S15/15,5/36-S15/30],[5/36+S15/24,2/9,5/36-S15/24],[5/36+S15/30,2/9+S15/15,5/36]])
B=np.array([5/18,4/9,5/18])
AA=Am@Am
BB=B@Am
def lag(nodes,t):
    out=np.ones((len(t),len(nodes)))
    for j in range(len(nodes)):
        for k in range(len(nodes)):
            if k!=j: out[:,j]*=(t-nodes[k])/(nodes[j]-nodes[k])
    return out
def dexpinv(t,w):
    th2=(t*t).sum(-1,keepdims=True);th=np.sqrt(th2)
    c=np.where(th>1e-3,(1-th/2/np.tan(np.where(th>1e-3,th/2,1)))/np.where(th>1e-3,th2,1),1/12)
    tw=cross(t,w)
    return w+.5*tw+c*cross(t,tw)
def mul(M,a):  # (S,S')x(S',...)
    return (M@a.reshape(len(a),-1)).reshape((len(M),)+a.shape[1:])
def expm(t): return exponential(t.reshape(-1,3)).reshape(t.shape+(3,))
class Batch:
    """N islands of one shape, built from prototype Isl objects."""
    def __init__(s,isls,limits=()):
        """limits: list of (joint,axis,low,high)"""
        i0=isls[0];s.N=len(isls);n=s.n=i0.n;m=len(i0.a)
        s.root=np.stack([i.rm for i in isls])            # N,n,6
        s.inv=1/s.root
        inv=np.concatenate([s.inv,np.zeros((s.N,1,6))],1)
        rows=[6*j+(a) for j,a in i0.rows]; nl=len(rows)
        lock=[True]*nl
        s.low=[0.]*nl;s.high=[0.]*nl
        for j,a,lo,hi in limits: rows.append(6*j+a);lock.append(False);s.low.append(lo);s.high.append(hi)
        s.el=[]
        for (j,a,k,c,t) in i0.sp:
            r=6*j+a
            if r in rows and not lock[rows.index(r)]: at=rows.index(r)
            else: rows.append(r);lock.append(False);s.low.append(-inf);s.high.append(inf);at=len(rows)-1
            s.el.append((at,k,c,t))
        s.low=np.array(s.low);s.high=np.array(s.high)
        s.lock=np.array(lock)
        def fm(q): 
            from gk import mat
            return mat(q)
        axes=np.stack([np.concatenate([fm(i.fa),fm(i.fb)]) for i in isls])
        anc=np.stack([np.concatenate([i.ra,i.rb]) for i in isls])
        s.ends=np.concatenate([i0.a,i0.b])
        s.K=Kinematics(Frames(s.ends,anc,axes,np.array(rows),s.lock,np.zeros((s.N,len(rows)))),inv)
        s.r=len(rows)
        j=s.K.joint;base=np.arange(s.r)*(6*(n+1))
        s.ia=(base+6*s.ends[j])[:,None]+np.arange(6);s.ib=(base+6*s.ends[m+j])[:,None]+np.arange(6)
        s.er=np.array([e[0] for e in s.el],int);s.ek=np.array([e[1] for e in s.el],float);s.ec=np.array([e[2] for e in s.el],float);s.et=np.array([e[3] for e in s.el],float)
        s.x=np.stack([i.x for i in isls]);from gk import mat
        s.R=np.stack([mat(i.q) for i in isls]);s.s=np.stack([i.s for i in isls])
        s.g=i0.g;s.t=0;s.prev=None
        s.I=s.root[...,3:]**2
        s.weight=s.root[...,:3]*s.g
        s.active=np.broadcast_to(s.lock,(s.N,s.r)).copy()
        s.closed=i0.loops
        s.onlylocks=s.lock.all()
        s.evals=0;s.np=1
    def full(s,x,R,sv):
        S,N=x.shape[:2];z=np.zeros((S,N,1,3))
        v=sv*s.inv
        return (np.concatenate([x,z],2),np.concatenate([R,np.broadcast_to(np.eye(3),(S,N,1,3,3))],2),np.concatenate([v[...,:3],z],2),np.concatenate([v[...,3:],z],2))
    def jac(s,ev):
        S,N=ev.value.shape[:2]
        G=np.zeros((S,N,s.r*6*(s.n+1)))
        G[...,s.ia]=ev.entries[...,0,:];G[...,s.ib]+=ev.entries[...,1,:]
        return G.reshape(S,N,s.r,-1)[...,:6*s.n]
    def evaluate(s,x,R,sv):
        """-> a, and residual corrections if closed"""
        s.evals+=1
        ev=s.K.evaluate(*s.full(x,R,sv))
        G=s.jac(ev)
        D=Delassus(G,s.active,None,closed=s.closed)
        if s.closed:
            ds=D.moved(-np.where(s.active,ev.rate,0),0).reshape(sv.shape)
            # velocity projection changes rates: re-evaluate the drift with projected velocities
            sv=sv+ds
            ev=s.K.evaluate(*s.full(x,R,sv))
        v=sv*s.inv;w=v[...,3:]
        f=np.empty_like(sv);f[...,:3]=s.weight;f[...,3:]=-cross(w,s.I*w)*s.inv[...,3:]
        u=f.reshape(f.shape[:2]+(-1,))
        if len(s.el):
            F=-s.ek*(ev.value[...,s.er]-s.et)-s.ec*ev.rate[...,s.er]
            FR=np.zeros(ev.value.shape)
            np.add.at(FR,(slice(None),slice(None),s.er),F)
            u=u+(FR[...,None,:]@G)[...,0,:]
        lam=D.solve(-(ev.drift+(G@u[...,None])[...,0]))
        u=u+D.push(lam)
        s.lam=lam
        return u.reshape(sv.shape)
    def positions(s,x,R,rounds=1):
        """project stage poses"""
        for _ in range(rounds):
            z=np.zeros(x.shape)
            ev=s.K.evaluate(*s.full(x,R,np.zeros(x.shape[:-1]+(6,))))
            D=Delassus(s.jac(ev),s.active,None,closed=s.closed)
            d=D.moved(-np.where(s.active,ev.value,0),0).reshape(x.shape[:-1]+(6,))*s.inv
            x=x+d[...,:3];R=R@expm(d[...,3:])
        return x,R
    def collocate(s,h,tol=1e-7,most=14):
        v0=s.s*s.inv
        if s.prev is None:
            a=np.repeat(s.evaluate(s.x[None],s.R[None],s.s[None]),3,0)
        else:
            ap,hp=s.prev
            a=mul(lag(C,1+C*h/hp),ap)
        cc=C[:,None,None,None]
        th=h*cc*v0[None,...,3:]
        s.log=[]
        for k in range(most):
            sv=s.s+h*mul(Am,a);v=sv*s.inv;au=a[...,:3]*s.inv[...,:3]
            x=s.x+h*cc*v0[...,:3]+h*h*mul(AA,au)
            for _ in range(2): th=h*mul(Am,dexpinv(th,v[...,3:]))
            R=s.R@expm(th)
            if s.closed: x,R=s.positions(x,R,s.np)
            new=s.evaluate(x,R,sv)
            d=h*h*np.abs((new-a)*s.inv).max();a=new;s.log.append(d)
            if d<tol: break
            if not d<1e3: return False
        s.sweeps=k+1
        if hasattr(s,'ev'): s.stagev=(s.ev.value[:,0],s.ev.rate[:,0],s.lam[:,0])
        if d>1e-5: return False
        s.x=s.x+h*v0[...,:3]+h*h*mul(BB[None],a[...,:3]*s.inv[...,:3])[0]
        s.R=orthonormalized((s.R@expm(h*mul(B[None],dexpinv(th,v[...,3:]))[0])).reshape(-1,3,3)).reshape(s.R.shape)
        s.s=s.s+h*mul(B[None],a)[0]
        s.prev=(a,h);s.t+=h
        s.ind=h*h*np.abs((a[0]-2*a[1]+a[2])*s.inv)[...,:3].max()
        s.settle()
        return True
    def settle(s):
        for k in range(4):
            ev=s.K.evaluate(*s.full(s.x[None],s.R[None],s.s[None]))
            D=Delassus(s.jac(ev),s.active,None,closed=s.closed)
            val=np.where(s.active,ev.value,0)
            if k==0: s.drift=np.abs(val).max()
            if np.abs(val).max()<1e-8: break
            d=D.moved(-val).reshape(s.s.shape)*s.inv
            s.x=s.x+d[...,:3];s.R=s.R@expm(d[...,3:])
        s.s=s.s+D.moved(-np.where(s.active,ev.rate,0)).reshape(s.s.shape)
    def energy(s):
        e=.5*(s.s**2).sum()-(s.weight*s.root[...,:3]*s.x).sum()
        if len(s.el):
            val=s.K.values(*s.full(s.x[None],s.R[None],s.s[None])[:2])[0]
            e+=.5*(s.ek*(val[:,s.er]-s.et)**2).sum()
        return e
