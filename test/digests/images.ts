// The images of docker-compose.yml that a variable can name otherwise: ${NODE_IMAGE:-node:24-bookworm-slim}.
import { parse } from 'yaml';

export interface NamedImage {
  readonly variable: string;
  /** What it stands for where it is not set. */
  readonly value: string;
  /** Name and tag of the whole image. */
  readonly image: string;
}

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      { readonly image?: string; readonly build?: { readonly args?: Readonly<Record<string, string>> } }
    >
  >;
}

/** Each variable once. */
export function namedImages(composeFile: string): NamedImage[] {
  const { services } = parse(composeFile, { merge: true }) as Compose;
  const texts = Object.values(services).flatMap(({ image = '', build }) => [
    image,
    ...Object.values(build?.args ?? {}),
  ]);
  const named = texts.flatMap((text) => {
    const [, before = '', variable, value] = /^(.*)\$\{(\w+):-([^}]+)\}$/.exec(text) ?? [];
    return variable === undefined || value === undefined
      ? []
      : [{ variable, value, image: `${before}${value}` }];
  });
  return [...new Map(named.map((one) => [one.variable, one])).values()];
}

const digest = /^"(sha256:[0-9a-f]{64})"$/;

/**
 * `NODE_IMAGE=node:24-bookworm-slim@sha256:…` for a file of variables.
 * @param answer the digest as JSON
 * @throws Error when it is none
 */
export function pinned({ variable, value, image }: NamedImage, answer: string): string {
  const [, found] = digest.exec(answer.trim()) ?? [];
  if (found === undefined) {
    throw new Error(`Expected the digest of ${image} as sha256: and 64 digits, got ${answer.slice(0, 80)}`);
  }
  return `${variable}=${value}@${found}`;
}
