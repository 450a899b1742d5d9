import { createHash } from 'node:crypto';

/** Returns the name of content: the first 16 hexadecimal digits of its SHA-256. */
export function contentId(content: object): string {
  return digest(JSON.stringify(content)).slice(0, 16);
}

const plainName = /^[a-z0-9](?:[a-z0-9._-]{0,46}[a-z0-9])?$/;

/** A target's name as a folder: itself where every disk and address takes it, else what is left of it with a sum. */
export function slugify(name: string): string {
  if (plainName.test(name)) return name;
  const left = name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30);
  return `${left || 'target'}-${digest(name).slice(0, 8)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
