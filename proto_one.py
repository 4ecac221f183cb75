"""One island with guards: bounds (rigid), elements (soft limits, drives), events inside the step."""
import numpy as np
from math import inf
from proto_int import *
TOUCH=1e-8
class El:
    def __init__(s,row,k,c,low=-inf,high=inf,drive=False,target=0.,speed=0.,maxf=inf):
        s.row,s.k,s.c,s.low,s.high,s.drive,s.target,s.speed,s.maxf=row,k,c,low,high,drive,target,speed,maxf
        s.two=drive or low==high
        if low==high and not drive: s.target=low
        s.mode=0
    def law(s,x,v):
        """linear force of the side that applies"""
        if s.two: return -s.k*(x-s.target)-s.c*(v-s.speed)
        ref=s.high if x>s.high else (s.low if x<s.low else None)
        return 0. if ref is None else -s.k*(x-ref)-s.c*v
    def want(s,x,v):
        f=s.law(x,v)
        if not s.two:
            over=max(x-s.high,0)+min(x-s.low,0)
            if over==0 or f*over>=0: return 0
            return 1 if over>0 else -1
        if abs(f)>s.maxf: return 3 if f>0 else -3
        return 1
class One(Batch):
    def __init__(s,isl,limits=(),elements=()):
        isl.sp=[];Batch.__init__(s,[isl],limits)
        # add rows for elements
        rows=list(s.K.rows)
        s.E=[]
        extra=[]
        for (j,a,kw) in elements:
            r=6*j+a
            if r not in rows: rows.append(r);extra.append(r)
            s.E.append(El(rows.index(r),**kw))
        if extra:
            s.low=np.concatenate([s.low,[-inf]*len(extra)]);s.high=np.concatenate([s.high,[inf]*len(extra)])
            s.lock=np.concatenate([s.lock,[False]*len(extra)])
            inv=np.concatenate([s.inv,np.zeros((1,1,6))],1)
            f=s.K
            s.K=Kinematics(Frames(s.ends,f.anchors[...,0],f.axes,np.array(rows),s.lock,np.zeros((1,len(rows)))),inv)
            s.r=len(rows);j=s.K.joint;n=s.n;m=len(s.ends)//2;base=np.arange(s.r)*(6*(n+1))
            s.ia=(base+6*s.ends[j])[:,None]+np.arange(6);s.ib=(base+6*s.ends[m+j])[:,None]+np.arange(6)
        s.active=s.lock[None].copy();s.side=np.zeros(s.r)
        s.bounded=np.flatnonzero(~s.lock&(np.isfinite(s.low)|np.isfinite(s.high)))
        s.servo=[False]*len(s.E);s.h=0
        s.events=0
        val,rate=s.now()
        for e in s.E: e.mode=e.want(val[e.row],rate[e.row])
    def now(s):
        ev=s.K.evaluate(*s.full(s.x[None],s.R[None],s.s[None]));return ev.value[0,0],ev.rate[0,0]
    def target(s):
        """value at which active rows are held"""
        t=np.zeros(s.r);b=~s.lock
        t[b]=np.where(s.side[b]>0,s.high[b],np.where(s.side[b]<0,s.low[b],0));return t
    def evaluate(s,x,R,sv,keep=False):
        ev=s.K.evaluate(*s.full(x,R,sv));G=s.jac(ev)
        act=s.active.copy();comp=None
        hard=s.active
        D=Delassus(G,hard,None,closed=s.closed) if s.closed else None
        if s.closed:
            ds=D.moved(-np.where(hard,ev.rate,0),0).reshape(sv.shape);sv=sv+ds
            ev=s.K.evaluate(*s.full(x,R,sv))
        S=x.shape[0]
        F=np.zeros((S,1,s.r));K=np.zeros(s.r);rhs0=np.zeros((S,1,s.r));servo=np.zeros(s.r,bool)
        h=s.h
        for i,e in enumerate(s.E):
            r=e.row;X=ev.value[...,r];V=ev.rate[...,r]
            if e.mode==0: continue
            if abs(e.mode)==3: F[...,r]+=np.sign(e.mode)*e.maxf;continue
            ref,sp=(e.target,e.speed) if e.two else ((e.high if e.mode>0 else e.low),0.)
            if s.servo[i] and not s.active[0,r]:
                servo[r]=True;K[r]+=e.k*h*h+e.c*h
                rhs0[...,r]+=-(e.k*(X-ref+h*V)+e.c*(V-sp))
            else: F[...,r]+=-e.k*(X-ref)-e.c*(V-sp)
        v=sv*s.inv;w=v[...,3:]
        f=np.empty_like(sv);f[...,:3]=s.weight;f[...,3:]=-cross(w,s.I*w)*s.inv[...,3:]
        u=f.reshape(f.shape[:2]+(-1,))+(F[...,None,:]@G)[...,0,:]
        if servo.any():
            act=act|servo;comp=np.where(servo,1/np.maximum(K,1e-300),0)[None,None]
            D=Delassus(G,act,comp,closed=s.closed)
        elif D is None: D=Delassus(G,act,None,closed=s.closed)
        lam=D.solve(np.where(act,np.where(servo,rhs0/np.maximum(K,1e-300),0)-(np.where(servo,0,ev.drift)+np.where(servo,ev.drift,0))-(G@u[...,None])[...,0],0))
        u=u+D.push(lam)
        s.ev=ev;s.lam=lam;s.servorows=servo
        return u.reshape(sv.shape)
    def positions(s,x,R,rounds=1):
        for _ in range(rounds):
            ev=s.K.evaluate(*s.full(x,R,np.zeros(x.shape[:-1]+(6,))))
            D=Delassus(s.jac(ev),s.active,None,closed=s.closed)
            d=D.moved(-np.where(s.active,ev.value-s.target(),0),0).reshape(x.shape[:-1]+(6,))*s.inv
            x=x+d[...,:3];R=R@expm(d[...,3:])
        return x,R
    def settle(s):
        for k in range(6):
            ev=s.K.evaluate(*s.full(s.x[None],s.R[None],s.s[None]))
            D=Delassus(s.jac(ev),s.active,None,closed=s.closed)
            val=np.where(s.active,ev.value-s.target(),0)
            if k==0: s.drift=np.abs(val).max(initial=0)
            if np.abs(val).max(initial=0)<1e-9: break
            d=D.moved(-val).reshape(s.s.shape)*s.inv
            s.x=s.x+d[...,:3];s.R=s.R@expm(d[...,3:])
        s.s=s.s+D.moved(-np.where(s.active,ev.rate,0)).reshape(s.s.shape)
    def impact(s,val):
        """velocity jump: touching bounds that approach stop; those that would be pulled stay free."""
        ev=s.K.evaluate(*s.full(s.x[None],s.R[None],s.s[None]));G=s.jac(ev)
        val,rate=ev.value[0,0],ev.rate[0,0]
        side=np.where(val>=s.high-TOUCH,1.,np.where(val<=s.low+TOUCH,-1.,0.));side[s.lock]=0
        work=s.lock|(side*rate>1e-9)|s.active[0]
        for _ in range(40):
            D=Delassus(G,work[None],None,closed=s.closed)
            lam=D.solve(-np.where(work,rate,0)[None,None])[0,0]
            pulls=work&~s.lock&(lam*side>1e-12)
            if pulls.any(): work&=~pulls;continue
            after=s.s+D.push(lam[None,None]).reshape(s.s.shape)
            r2=s.K.evaluate(*s.full(s.x[None],s.R[None],after[None])).rate[0,0]
            more=~work&(side*r2>1e-7)
            if not more.any(): break
            work|=more
        s.s=after
        # forces: which of those touching at rest stay pressed
        r2=s.K.evaluate(*s.full(s.x[None],s.R[None],s.s[None])).rate[0,0]
        act=s.lock|((side!=0)&(np.abs(r2)<1e-6))
        s.side=np.where(act&~s.lock,side,0.)
        for _ in range(40):
            s.active=act[None].copy()
            a=s.evaluate(s.x[None],s.R[None],s.s[None])
            lam=s.lam[0,0]
            pulls=act&~s.lock&(lam*side>1e-10)
            if pulls.any():
                act&=~pulls;continue
            acc=(s.jac(s.ev)@a.reshape(1,1,-1,1))[0,0,:,0]+s.ev.drift[0,0]
            more=~act&(side!=0)&(np.abs(r2)<1e-6)&(acc*side>1e-9)
            if not more.any(): break
            act|=more
        s.active=act[None].copy();s.side=np.where(act&~s.lock,side,0.)
    def rates_of(s):
        """omega^2 and damping rate of every element with all rigid rows enforced"""
        ev=s.K.evaluate(*s.full(s.x[None],s.R[None],s.s[None]));G=s.jac(ev)
        D=Delassus(G,s.active,None,closed=s.closed)
        out=[]
        for e in s.E:
            g=G[:,:,e.row,:]
            p=g+D.push(D.solve(-(G@g[...,None])[...,0]))
            out.append(max((p*g).sum(),1e-12*(g*g).sum()))
        return out
    def frame(s,dt,tol=1e-6,tole=1e-4,most=20,log=None):
        """advance by dt"""
        rem=dt;hmin=dt/4000;s.nsteps=0;s.fails=0
        inverse=s.rates_of() if s.E else []
        hs=dt
        for i,e in enumerate(s.E):
            om=max((e.k*inverse[i])**.5,e.c*inverse[i])
            s.servo[i]=om*dt/most>1.0
            if not s.servo[i] and e.mode!=0: hs=min(hs,1.0/om)
        h=min(s.hnext if hasattr(s,'hnext') else dt,hs)
        while rem>1e-12*dt:
            k=np.ceil(rem/h-1e-9);h=rem/k
            s.h=h
            save=(s.x,s.R,s.s,s.prev,s.t,s.active,s.side)
            v0,r0=s.now()
            ok=s.collocate(h,tol,stay=True)
            if ok and s.ind>1e-2*s.size: ok=False
            if not ok:
                s.x,s.R,s.s,s.prev,s.t,s.active,s.side=save
                s.fails+=1;h*=.5
                if h<hmin: return False
                if s.fails>12: s.prev=None
                continue
            tau=s.first(v0,r0);took=h
            if tau<1:
                s.events+=1;s.nsteps+=1
                s.x,s.R,s.s,s.prev,s.t,s.active,s.side=save
                took=0
                if tau*h>hmin:
                    s.h=tau*h
                    if not s.collocate(tau*h,tol):
                        s.x,s.R,s.s,s.prev,s.t,s.active,s.side=save
                        h*=.5;s.fails+=1;continue
                    took=tau*h
                s.impact(None);val,rate=s.now()
                for e in s.E: e.mode=e.want(val[e.row]+1e-9*s.size*np.sign(rate[e.row])+1e-7*dt*rate[e.row],rate[e.row])
                s.prev=None
            else: s.nsteps+=1
            rem-=took
            h=min(dt,h*2 if s.sweeps<=5 else h)
            if s.E:
                for i,e in enumerate(s.E):
                    if not s.servo[i] and e.mode!=0: h=min(h,1.0/max((e.k*inverse[i])**.5,e.c*inverse[i],1e-9))
            if s.nsteps>300: return False
        s.hnext=h
        return True
    size=1.
    def collocate(s,h,tol=1e-7,most=14,stay=False):
        ok=Batch.collocate(s,h,tol,most)
        return ok
    def first(s,v0,r0):
        """first time in (0,1] at which a guard says otherwise; needs the last collocate"""
        v1,r1=s.now()
        if not len(s.bounded) and not s.E: return 2
        nodes=np.concatenate([[0],C,[1]])
        V=np.concatenate([v0[None],s.stagev[0],v1[None]]);Rr=np.concatenate([r0[None],s.stagev[1],r1[None]])
        lam=s.stagev[2]
        def at(t):
            t=np.atleast_1d(t);L=lag(nodes,t);return L@V,L@Rr,lag(C,t)@lam
        def bad(t):
            v,r,l=at(t);out=np.zeros(len(v),bool)
            for k in range(len(v)):
                b=s.bounded;b_in=b[~s.active[0,b]]
                x=False
                if ((v[k,b_in]>s.high[b_in]+1e-9)|(v[k,b_in]<s.low[b_in]-1e-9)).any(): x=True
                b_on=b[s.active[0,b]]
                if (l[k,b_on]*s.side[b_on]>1e-9).any(): x=True
                for i,e in enumerate(s.E):
                    if s.active[0,e.row]: continue
                    m=e.want(v[k,e.row],r[k,e.row])
                    if s.servo[i] and e.mode!=0:
                        f=l[k,e.row]
                        if abs(e.mode)==3: f=e.law(v[k,e.row],r[k,e.row]);m=e.mode if f*e.mode>0 and abs(f)>=e.maxf else 1
                        elif not e.two: m=e.mode if f*e.mode<=0 else 0
                        else: m=1 if abs(f)<=e.maxf else (3 if f>0 else -3)
                    if m!=e.mode: x=True
                out[k]=x
            return out
        grid=np.linspace(0,1,17)[1:]
        w=bad(grid)
        if not w.any(): return 2
        k=int(np.argmax(w));lo=grid[k-1] if k else 0.;hi=grid[k]
        for _ in range(40):
            mid=(lo+hi)/2
            if bad(mid)[0]: hi=mid
            else: lo=mid
        return hi
