import { checkTarget } from './cli/check-target.ts';
import { catalogue } from './contract/catalogue.ts';
const t=performance.now();
const {run,recording}=await checkTarget({target:{kind:'local'},flags:{timeout:10000},law:catalogue,faults:process.argv.slice(2)});
console.log(run.verdict,run.reason,run.requests, (performance.now()-t).toFixed(0)+'ms');
console.log(run.findings.map(f=>`${f.level} ${f.rule} ${f.operation} ${f.pointer} x${f.count} ${f.intermittent?'INT':''} exp=${f.expected} act=${f.actual}`).join('\n'));
if(!process.argv[2]) {console.log(run.rules.map(r=>`${r.id} ${r.level} ${r.outcome} ${r.evidence} ${r.reason??''}`).join('\n'));
console.log(run.observations.map(o=>`${o.id}: ${o.answer}`).join('\n'));
console.log(recording.exchanges.map(e=>`${e.request.url.slice(24)} ${e.request.credential} ${e.response?.status} ${e.timings.total.toFixed(1)}`).join('\n'));}
