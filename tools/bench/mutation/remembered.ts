import { createHash } from 'node:crypto';
import { loadSpec as load } from '@candleproof/document/spec/load-spec';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { type Evidence, gatherEvidence as gather } from '@candleproof/law/relations/evidence';
import { type NamedRecording, record as recordAnew } from '@candleproof/law/worlds/recorded';
import type { World } from '@candleproof/law/worlds/world';
import { looked } from './switchboard.ts';

// Everything that is not cached is passed through.
export * from '@candleproof/document/spec/load-spec';
export * from '@candleproof/law/relations/evidence';
export * from '@candleproof/law/worlds/recorded';

// The cached code has no mutants: worlds, specs and evidence do not change.
const specs = new Map<string, Spec>();
const worlds = new Map<string, NamedRecording>();
const evidences = new WeakMap<Spec, Map<string, Evidence>>();
const known = new WeakMap<Exchange, string>();
const ofRecordings = new WeakMap<Recording, WeakMap<Spec, Evidence>>();

/** Loads a spec once. */
export function loadSpec(file: string): Spec {
  return getOrMake(specs, file, () => load(file));
}

/** Records a world once. */
export function record(world: World): NamedRecording {
  return getOrMake(worlds, JSON.stringify(world), () => recordAnew(world));
}

/** Gathers the evidence of a recording once. */
export function gatherEvidence(spec: Spec, recording: Recording): Evidence {
  const ofRecording = ofRecordings.get(recording) ?? new WeakMap<Spec, Evidence>();
  ofRecordings.set(recording, ofRecording);
  const evidence = ofRecording.get(spec) ?? gatherByContent(spec, recording);
  ofRecording.set(spec, evidence);
  looked.add(evidence);
  return evidence;
}

function gatherByContent(spec: Spec, recording: Recording): Evidence {
  const exchanges = recording.exchanges.map(recordName);
  const ofSpec = evidences.get(spec) ?? new Map<string, Evidence>();
  evidences.set(spec, ofSpec);
  return getOrMake(ofSpec, JSON.stringify({ ...recording, exchanges }), () => gather(spec, recording));
}

/** Returns a key by content, as equal recordings give equal evidence. */
function recordName(exchange: Exchange): string {
  const name = known.get(exchange) ?? createHash('sha1').update(JSON.stringify(exchange)).digest('base64');
  known.set(exchange, name);
  return name;
}

function getOrMake<Value>(memory: Map<string, Value>, key: string, make: () => Value): Value {
  const value = memory.get(key) ?? make();
  memory.set(key, value);
  return value;
}
