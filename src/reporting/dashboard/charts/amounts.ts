// Sums of amounts that Postgres wrote, without losing a digit.

/** @returns undefined where one of them is no decimal number */
export function addAmounts(amounts: readonly string[]): string | undefined {
  const parts = amounts.map((amount) => /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount));
  const scale = Math.max(0, ...parts.map((part) => part?.[3]?.length ?? 0));
  let sum = 0n;
  for (const part of parts) {
    if (part === null) return undefined;
    const [, sign = '', whole = '', rest = ''] = part;
    sum += BigInt(`${sign}${whole}${rest.padEnd(scale, '0')}`);
  }
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const [whole, rest] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${sum < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${rest}`}`;
}
