import numpy as np
from gk import Isl
def rod(p,q,m=1.,thick=0.02,v=None,w=None,uniform=True):
    p,q=np.array(p,float),np.array(q,float);d=q-p;L=np.linalg.norm(d);x=d/L
    t=np.array([0,0,1.]) if abs(x[2])<.9 else np.array([1.,0,0]);z=t-x*(t@x);z/=np.linalg.norm(z);y=np.cross(z,x)
    I=(m*thick**2/6 if not uniform else max(m*thick**2/6,1e-6),m*(L*L+thick**2)/12,m*(L*L+thick**2)/12)
    return [m,I,(p+q)/2,np.stack([x,y,z],1),v if v is not None else (0,0,0),w if w is not None else (0,0,0)]
HZ=(0,1,2,3,4)  # hinge about z: locked x y z, angular 0,1
def pend(): return Isl([rod((0,0,0),(1,0,0))],[(None,0,(0,0,0),None,HZ)])
def pin(): return Isl([rod((0,0,0),(1,0,0))],[(None,0,(0,0,0),None,(0,1,2))])
def chain(n=10):
    bs=[rod((i,0,0),(i+1,0,0)) for i in range(n)]
    return Isl(bs,[(i-1 if i else None,i,(i,0,0),None,(0,1,2)) for i in range(n)])
def fourbar_n(N=1):
    v=1.0
    bs=[];js=[];V=[]
    for i in range(N+1):
        bs.append(rod((i,0,0),(i,1,0),v=(.5*v,0,0),w=(0,0,-v)));V.append(len(bs)-1)
    for i in range(N): bs.append(rod((i,1,0),(i+1,1,0),v=(v,0,0)))
    for i in range(N+1): js.append((None,V[i],(i,0,0),None,HZ))
    for i in range(N):
        c=N+1+i
        js.append((V[i],c,(i,1,0),None,HZ));js.append((c,V[i+1],(i+1,1,0),None,HZ))
    return Isl(bs,js)
def cranks3():
    # locomotive: three parallel cranks with one coupling rod
    bs=[rod((i,0,0),(i,.3,0),v=(.15*10,0,0),w=(0,0,-10)) for i in range(3)]+[rod((0,.3,0),(2,.3,0),m=3,v=(3,0,0))]
    return Isl(bs,[(None,i,(i,0,0),None,HZ) for i in range(3)]+[(i,3,(i,.3,0),None,HZ) for i in range(3)])
def crank_rocker():
    A,D=np.array((0,0,0.)),np.array((1.,0,0));a,b,c=.3,.9,.7
    Bp=np.array((0,.3,0.))
    # intersection
    d=np.linalg.norm(D-Bp);ex=(D-Bp)/d;xx=(d*d+b*b-c*c)/2/d;y=np.sqrt(b*b-xx*xx);ey=np.array((-ex[1],ex[0],0))
    Cp=Bp+ex*xx+ey*y
    w=10.
    bs=[rod(A,Bp,w=(0,0,w),v=(-.15*w,0,0)),rod(Bp,Cp),rod(D,Cp)]
    s=Isl(bs,[(None,0,A,None,HZ),(0,1,Bp,None,HZ),(1,2,Cp,None,HZ),(None,2,D,None,HZ)])
    return s
def slider_crank(w=20.):
    A=np.array((0,0,0.));Bp=np.array((0,.3,0.));Cp=np.array((np.sqrt(1-.09),0,0))
    bs=[rod(A,Bp,w=(0,0,w),v=(-.15*w,0,0)),rod(Bp,Cp),[1.,(.01,.01,.01),Cp,None]]
    return Isl(bs,[(None,0,A,None,HZ),(0,1,Bp,None,HZ),(1,2,Cp,None,HZ),(None,2,Cp,None,(1,2,3,4,5))])
def gimbals(spin=80.):
    bs=[[1.,(.02,.01,.02),(0,0,0),None],[.5,(.01,.005,.008),(0,0,0),None],[2.,(.01,.01,.02),(0,0,0),None,(0,0,0),(0,0.3,spin)]]
    # outer about y, inner about x, rotor about z, offset mass hanging
    return Isl(bs,[(None,0,(0,0,0),None,(0,1,2,3,5)),(0,1,(0,0,0),None,(0,1,2,4,5)),(1,2,(0,0,0.1),None,HZ)]) 
def door3():
    bs=[[20.,(20*(2**2+.8**2)/12*1.0,20*2**2/12,20*.8**2/12),(.4,1,0),None]]
    bs[0][1]=(20*4/12,20*.64/12,20*4.64/12)
    R=np.eye(3)
    return Isl(bs,[(None,0,(0,y,0),None,(0,1,2,3,5)) for y in (.2,1,1.8)],springs=())
def bennett():
    pass
def strut(mb=1.,k=30000.,M=301.):
    # mass on pivot arm? mass on slider x locked, vertical; strut: pin, sprung slider, pin
    bs=[[M,(10,10,10),(0,1,0),None],[mb,(.01*mb,.01*mb,.01*mb),(0,.25,0),None],[mb,(.01*mb,.01*mb,.01*mb),(0,.75,0),None]]
    js=[(None,0,(0,1,0),None,(0,2,3,4,5)),(None,1,(0,0,0),None,(0,1,2,3)),(1,2,(0,.5,0),None,(0,2,3,4,5)),(2,0,(0,1,0),None,(0,1,2,3))]
    return Isl(bs,js,springs=[(2,1,k,0.,-0.1+ (M+2*mb)*9.81/k*0)])
def top(w=150.):
    R=np.eye(3);al=.3;c,s_=np.cos(al),np.sin(al);R=np.array([[1,0,0],[0,c,-s_],[0,s_,c]])@np.array([[1,0,0],[0,0,1],[0,-1,0]])
    # symmetry axis = body z -> world y tilted
    ax=R[:,2]
    if ax[1]<0: R=R@np.diag([1,-1,-1]);ax=R[:,2]
    return Isl([[1.,(.002,.002,.001),.1*ax,R,(0,0,0),w*ax]],[(None,0,(0,0,0),None,(0,1,2))])
