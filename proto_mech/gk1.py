"""Prototype: Gauss collocation (3 points) in maximal coordinates, index 1, sweeps, projection."""
import numpy as np
from math import sqrt, pi, ceil, inf
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
def qmul(a,b):
    aw,ax,ay,az=np.moveaxis(a,-1,0);bw,bx,by,bz=np.moveaxis(b,-1,0)
    return np.stack([aw*bw-ax*bx-ay*by-az*bz,aw*bx+ax*bw+ay*bz-az*by,aw*by-ax*bz+ay*bw+az*bx,aw*bz+ax*by-ay*bx+az*bw],-1)
def qconj(a): return a*np.array([1.,-1,-1,-1])
def qexp(t):
    th=np.sqrt((t*t).sum(-1,keepdims=True));h=th/2
    s=np.where(th>1e-8,np.sin(h)/np.where(th>1e-8,th,1),.5)
    return np.concatenate([np.cos(h),s*t],-1)
def mat(q):
    w,x,y,z=np.moveaxis(q,-1,0)
    return np.stack([np.stack([1-2*(y*y+z*z),2*(x*y-w*z),2*(x*z+w*y)],-1),np.stack([2*(x*y+w*z),1-2*(x*x+z*z),2*(y*z-w*x)],-1),np.stack([2*(x*z-w*y),2*(y*z+w*x),1-2*(x*x+y*y)],-1)],-2)
def cr(a,b):
    return np.stack([a[...,1]*b[...,2]-a[...,2]*b[...,1],a[...,2]*b[...,0]-a[...,0]*b[...,2],a[...,0]*b[...,1]-a[...,1]*b[...,0]],-1)
def q_of(m):
    from scipy.spatial.transform import Rotation
    x,y,z,w=Rotation.from_matrix(m).as_quat(); return np.array([w,x,y,z])
def dexpinv(t,w):
    th2=(t*t).sum(-1,keepdims=True);th=np.sqrt(th2)
    c=np.where(th>1e-3,(1-th/2/np.tan(np.where(th>1e-3,th/2,1)))/np.where(th>1e-3,th2,1),1/12)
    tw=cr(t,w)
    return w+.5*tw+c*cr(t,tw)
class Isl:
    """bodies: list of (mass, inertia diag, x, R, v, w_world); joints: (a,b,point_world,frame_world,locked axes tuple, springs)"""
    def __init__(s,bodies,joints,gravity=(0,-9.81,0),springs=()):
        n=s.n=len(bodies)
        s.m=np.array([b[0] for b in bodies],float);s.I=np.array([b[1] for b in bodies],float)
        s.x=np.array([b[2] for b in bodies],float)
        R=np.array([b[3] if b[3] is not None else np.eye(3) for b in bodies],float)
        s.q=np.array([q_of(r) for r in R])
        v=np.array([b[4] if len(b)>4 else (0,0,0) for b in bodies],float)
        w=np.array([b[5] if len(b)>5 else (0,0,0) for b in bodies],float)
        s.rm=np.concatenate([np.repeat(s.m[:,None]**.5,3,1),s.I**.5],1)
        s.s=np.concatenate([v,np.einsum('nji,nj->ni',R,w)],1)*s.rm
        s.g=np.array(gravity,float)
        X=np.vstack([s.x,np.zeros(3)]);RR=np.concatenate([R,np.eye(3)[None]])
        s.a=np.array([j[0] if j[0] is not None else n for j in joints]);s.b=np.array([j[1] if j[1] is not None else n for j in joints])
        P=np.array([j[2] for j in joints],float);P2=np.array([(j[6] if len(j)>6 and j[6] is not None else j[2]) for j in joints],float)
        s.ra=np.einsum('nji,nj->ni',RR[s.a],P-X[s.a]);s.rb=np.einsum('nji,nj->ni',RR[s.b],P2-X[s.b])
        F=np.array([j[3] if j[3] is not None else np.eye(3) for j in joints],float)
        s.fa=np.array([q_of(RR[s.a[k]].T@F[k]) for k in range(len(joints))]);s.fb=np.array([q_of(RR[s.b[k]].T@F[k]) for k in range(len(joints))])
        s.rows=[(k,ax) for k,j in enumerate(joints) for ax in j[4]]
        # springs: (joint, axis, k, c, target)
        s.sp=list(springs)
        s.J=np.array([r[0] for r in s.rows],int);s.ax=np.array([r[1] for r in s.rows],int)
        s.lin=s.ax<3
        s.spJ=np.array([p[0] for p in s.sp],int);s.spax=np.array([p[1] for p in s.sp],int)
        s.spk=np.array([p[2] for p in s.sp],float);s.spc=np.array([p[3] for p in s.sp],float);s.spt=np.array([p[4] for p in s.sp],float)
        s.allJ=np.concatenate([s.J,s.spJ]);s.allax=np.concatenate([s.ax,s.spax]);s.nr=len(s.J)
        s.prev=None;s.t=0.;s.hs=None;s.evals=0;s.steps=0;s.loops=len(s.J)>0 and (len(joints)>=n+ (1 if (s.a==n).any() or (s.b==n).any() else 0))
        s.L=max(np.abs(s.x[:,None]-s.x[None]).max() if n else 0,np.sqrt((s.ra**2).sum(1)).max()*2 if len(joints) else 1)
    def rowsat(s,x,q,w,v):
        """values, entries (..,R,2,6) scaled, gamma for all rows (locked first then springs)"""
        lead=x.shape[:-2]
        z=np.zeros(lead+(1,3))
        X=np.concatenate([x,z],-2);Q=np.concatenate([q,np.broadcast_to(np.array([1.,0,0,0]),lead+(1,4))],-2)
        R=mat(Q);W=np.einsum('...ij,...j->...i',R,np.concatenate([w,z],-2));V=np.concatenate([v,z],-2)
        a,b=s.a,s.b
        Ra,Rb=R[...,a,:,:],R[...,b,:,:]
        ra=np.einsum('...ij,...j->...i',Ra,s.ra);rb=np.einsum('...ij,...j->...i',Rb,s.rb)
        d=X[...,b,:]+rb-X[...,a,:]-ra
        wa,wb=W[...,a,:],W[...,b,:]
        dv=V[...,b,:]+cr(wb,rb)-V[...,a,:]-cr(wa,ra)
        da=cr(wb,cr(wb,rb))-cr(wa,cr(wa,ra))
        qa=qmul(Q[...,a,:],s.fa);qb=qmul(Q[...,b,:],s.fb)
        qr=qmul(qconj(qa),qb)
        Fa=mat(qa)
        k,ax=s.allJ,s.allax;lin=ax<3;i=ax%3
        # linear rows
        e=np.swapaxes(Fa,-1,-2)[...,k,i,:]   # axis world
        D,DV,DA,WA=d[...,k,:],dv[...,k,:],da[...,k,:],wa[...,k,:]
        val=(e*D).sum(-1)
        we=cr(WA,e)
        gam=(e*DA).sum(-1)+2*(we*DV).sum(-1)+(cr(WA,we)*D).sum(-1)
        RA,RB=ra[...,k,:],rb[...,k,:]
        la=-e;lb=e;aa=-cr(RA+D,e);ab=cr(RB,e)
        # angular rows (locked: 2 q_i)
        QR=qr[...,k,:]
        qw=QR[...,0];qi=np.take_along_axis(QR,np.broadcast_to((1+i),lead+(len(i),))[...,None],-1)[...,0]
        ei=np.eye(3)[i]
        qv=QR[...,1:]
        tw=np.zeros(len(k),bool);tw[s.nr:]=True
        dw=wb-wa
        dwl=np.einsum('...ji,...j->...i',Fa,dw)[...,k,:]
        crosst=-np.einsum('...ji,...j->...i',Fa,cr(wa,wb))[...,k,:]
        d2=(dw*dw).sum(-1)[...,k]
        # q_i' = .5 (qw w_i + (w x qv)_i) -> gradient wrt w (frame a): .5(qw e_i + qv x e_i)
        gi=.5*(qw[...,None]*ei+cr(qv,np.broadcast_to(ei,qv.shape)));gw=-.5*qv
        if tw.any():
            ss=qw*qw+qi*qi
            g_t=2*(qw[...,None]*gi-qi[...,None]*gw)/ss[...,None]
            qi1=(gi*dwl).sum(-1);qw1=(gw*dwl).sum(-1)
            qi2=(gi*crosst).sum(-1)-.25*d2*qi;qw2=(gw*crosst).sum(-1)-.25*d2*qw
            t1=2*(qw*qi1-qi*qw1)/ss
            t2=2*(qw*qi2-qi*qw2)/ss-t1*2*(qw*qw1+qi*qi1)/ss
            ga=np.where(tw[:,None],g_t,2*gi);va=np.where(tw,2*np.arctan2(qi,qw),2*qi);gma=np.where(tw,t2,2*qi2)
            va=np.where(tw,(va+pi)%(2*pi)-pi,va)
        else:
            ga=2*gi;va=2*qi;gma=2*((gi*crosst).sum(-1)-.25*d2*qi)
        gaw=np.einsum('...rij,...rj->...ri',Fa[...,k,:,:],ga)
        L=lin[:,None]
        val=np.where(lin,val,va);gam=np.where(lin,gam,gma)
        la=np.where(L,la,0);lb=np.where(L,lb,0);aa=np.where(L,aa,-gaw);ab=np.where(L,ab,gaw)
        aab=np.einsum('...rji,...rj->...ri',R[...,a[k],:,:],aa);abb=np.einsum('...rji,...rj->...ri',R[...,b[k],:,:],ab)
        G=np.zeros(lead+(len(k),s.n+1,6))
        r=np.arange(len(k))
        rm=np.concatenate([1/s.rm,np.zeros((1,6))])
        G[...,r,a[k],:]+=np.concatenate([la,aab],-1)*rm[a[k]]
        G[...,r,b[k],:]+=np.concatenate([lb,abb],-1)*rm[b[k]]
        return val,G[...,:s.n,:].reshape(lead+(len(k),6*s.n)),gam
    def free(s,q,sv):
        v=sv/s.rm;w=v[...,3:]
        f=np.zeros(sv.shape);f[...,:3]=s.g*s.rm[:,:3]
        f[...,3:]=-cr(w,s.I*w)/s.rm[:,3:]
        return f
    eps=1e-6; prox=0
    def solve(s,A,rhs,eps=None,prox=None):
        if s.loops:
            d=1/np.sqrt(np.diagonal(A,axis1=-2,axis2=-1))
            n=A.shape[-1];eps=s.eps if eps is None else eps;prox=s.prox if prox is None else prox
            As=A*d[...,:,None]*d[...,None,:];r=(rhs*d)[...,None]
            Ai=np.linalg.inv(As+eps*np.eye(n))
            lam=(Ai@r)
            for _ in range(prox):
                lam=lam+Ai@(r-As@lam)
            return lam[...,0]*d
        return np.linalg.solve(A,rhs[...,None])[...,0]
    proj=True
    def acc(s,x,q,sv,full=False):
        s.evals+=1 if x.ndim==2 else len(x)
        v=sv/s.rm
        val,G,gam=s.rowsat(x,q,v[...,3:],v[...,:3])
        u=s.free(q,sv).reshape(sv.shape[:-2]+(-1,))
        nr=s.nr
        if len(s.sp):
            Gs=G[...,nr:,:]
            rate=np.einsum('...rj,...j->...r',Gs,sv.reshape(u.shape))
            F=-s.spk*(val[...,nr:]-s.spt)-s.spc*rate
            u=u+np.einsum('...rj,...r->...j',Gs,F)
        G=G[...,:nr,:]
        if nr:
            A=G@np.swapaxes(G,-1,-2)
            lam=s.solve(A,-(gam[...,:nr]+np.einsum('...rj,...j->...r',G,u)))
            s.lam=lam
            u=u+np.einsum('...rj,...r->...j',G,lam)
            if full:
                dx=np.einsum('...rj,...r->...j',G,s.solve(A,-val[...,:nr],s.peps,0)).reshape(sv.shape)/s.rm
                ds=np.einsum('...rj,...r->...j',G,s.solve(A,-np.einsum('...rj,...j->...r',G,sv.reshape(u.shape)),s.peps,0)).reshape(sv.shape)
                return u.reshape(sv.shape),dx,ds
        if full: return u.reshape(sv.shape),0*sv,0*sv
        return u.reshape(sv.shape)
    peps=1e-10
    def step(s,h,tol=1e-10,most=14):
        n=s.n
        v0=s.s/s.rm
        if s.prev is None:
            a=np.broadcast_to(s.acc(s.x,s.q,s.s),(3,n,6)).copy()
        else:
            ap,hp=s.prev
            a=np.einsum('ij,jnk->ink',lag(C,1+C*h/hp),ap)
        pred=a
        th=h*C[:,None,None]*v0[None,:,3:]
        DX=np.zeros((3,n,6));DS=np.zeros((3,n,6))
        s.log=[]
        for k in range(most):
            sv=s.s+h*np.einsum('ij,jnk->ink',Am,a)+DS
            v=sv/s.rm
            au=a/s.rm
            x=s.x+h*C[:,None,None]*v0[:,:3]+h*h*np.einsum('ij,jnk->ink',AA,au[...,:3])+DX[...,:3]
            for _ in range(2):
                th=h*np.einsum('ij,jnk->ink',Am,dexpinv(th,v[...,3:]))
            q=qmul(qmul(s.q,qexp(th)),qexp(DX[...,3:]))
            new,dx,ds=s.acc(x,q,sv,True)
            d=h*h*np.abs((new-a)/s.rm).max()
            if s.proj:
                DX=DX+dx;DS=DS+ds
                d=max(d,np.abs(dx).max(),h*np.abs(ds/s.rm).max())
            a=new; s.log.append(d)
            if d<tol: break
            if not np.isfinite(d) or d>1e3: return None
        s.sweeps=k+1
        if d>1e-5*1: return None
        thp=dexpinv(th,v[...,3:])
        au=a/s.rm
        s.x=s.x+h*v0[:,:3]+h*h*np.einsum('j,jnk->nk',BB,au[...,:3])
        s.s=s.s+h*np.einsum('j,jnk->nk',B,a)
        s.q=qmul(s.q,qexp(h*np.einsum('j,jnk->nk',B,thp)));s.q/=np.sqrt((s.q**2).sum(-1,keepdims=True))
        s.prev=(a,h);s.t+=h;s.steps+=1
        s.project()
        e2=h*h*np.abs((a[0]-2*a[1]+a[2])/s.rm)[:,:3].max()
        s.ind=(e2,h*h*np.abs((pred-a)/s.rm).max())
        return s.ind
    def project(s):
        if not s.nr: return
        for k in range(4):
            v=s.s/s.rm
            val,G,_=s.rowsat(s.x,s.q,v[:,3:],v[:,:3]);val=val[:s.nr];G=G[:s.nr]
            if k==0: s.drift=np.abs(val).max()
            if np.abs(val).max()<1e-11: break
            A=G@G.T
            d=(G.T@s.solve(A,-val,1e-8,2)).reshape(s.n,6)/s.rm
            s.x=s.x+d[:,:3];s.q=qmul(s.q,qexp(d[:,3:]))
        A=G@G.T
        s.s=s.s+(G.T@s.solve(A,-G@s.s.reshape(-1),1e-8,2)).reshape(s.n,6)
    def energy(s):
        e=.5*(s.s**2).sum()-(s.m*(s.x@s.g)).sum()
        if len(s.sp):
            v=s.s/s.rm
            val,_,_=s.rowsat(s.x,s.q,v[:,3:],v[:,:3])
            e+=.5*(s.spk*(val[s.nr:]-s.spt)**2).sum()
        return e
    def save(s): return (s.x,s.q,s.s,s.prev,s.t)
    def load(s,k): s.x,s.q,s.s,s.prev,s.t=k
