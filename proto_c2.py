import sys
exec(open('/clones/rebuild/proto_cr.py').read().split("if __name__")[0])
for name in sys.argv[1:]:
    mk,T=M[name];ref=None
    for fps,tol in ((240,1e-8),(120,1e-8),(60,1e-8),(60,1e-6),(60,1e-5)):
        o,de,ms,st,k=run(mk,T,fps,tol);q=o[fps//60-1::fps//60]
        ref=q if ref is None else ref;l=min(len(q),len(ref));d=np.abs(q[:l]-ref[:l]).max()
        print(f"{name:9s} {fps:3d} tol {tol:.0e} err {d:.1e} dE {de:.1e} ms/s {ms:.2f} steps {st[0]:.1f} fail {st[2]:.2f} first {st[3]:.2f} gap {k.rep.gap:.0e}",flush=True)
