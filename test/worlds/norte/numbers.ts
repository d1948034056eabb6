// Numbers as they are written in Spain, whole thousands with a point.

/** 1.234,56 */
export function written(value: number, digits = 1): string {
  const [before = '', after = ''] = Math.abs(value).toFixed(digits).split('.');
  const grouped = before.replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return `${value < 0 ? '-' : ''}${grouped}${after === '' ? '' : `,${after}`}`;
}

/** 12,5 % */
export const percent = (value: number, digits = 1): string => `${written(value, digits)} %`;

/** 1.234,56 € */
export const money = (value: number, sign = '€'): string => `${written(value, 2)} ${sign}`;
