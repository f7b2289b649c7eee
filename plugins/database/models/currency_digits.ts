const digits = new Map<string, number>([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0] as const),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3] as const),
  ..."CLF UYW".split(" ").map((code) => [code, 4] as const),
]);

/** The decimals of an amount in a currency, as ISO 4217 gives them: 2 for "EUR" and without a currency, 0 for "JPY". */
export const minorDigits = (currency: string | undefined): number => digits.get(currency ?? "") ?? 2;

/** Whether ISO 4217 has a currency. */
export const isCurrency = (code: string): boolean =>
  digits.has(code) || Intl.supportedValuesOf("currency").includes(code);
