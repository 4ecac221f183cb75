import sys
exec(open('/clones/rebuild/proto_cr.py').read().split("if __name__")[0])
from proto_c import lib
tol=float(sys.argv[1])
for name in sys.argv[2:]:
    k=Kern(M[name][0]());f=lib.omi_step;a=k.args;b=k.args2;ts=[]
    n=4 if name!='chain100' else 1
    for rep in range(400):
        t=time.perf_counter()
        for _ in range(n): f(*a,1/60,1/60,tol,*b)
        ts.append((time.perf_counter()-t)/n*1e6)
    ts.sort()
    print(name,'%.1f us a frame (5%% quantile), median %.1f'%(ts[20],ts[200]), 'ms/s %.2f'%(ts[20]*.06),end='; ')
print()
