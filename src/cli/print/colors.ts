// Colours for people at a terminal, and none for pipes, files and NO_COLOR.
import picocolors from 'picocolors';

export type Colors = ReturnType<typeof picocolors.createColors>;

export function colorsFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Colors {
  const wanted = env['NO_COLOR'] === undefined || env['NO_COLOR'] === '';
  return picocolors.createColors(stream.isTTY === true && wanted);
}
