import { minorDigits } from "framewright/plugins/database";

/** The currencies of ISO 4217, without metals, funds and codes for tests. */
export const currencies: readonly string[] = [
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLF CLP CNY",
  "COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD",
  "IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK",
  "MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS",
  "SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF",
  "XPF YER ZAR ZMW ZWG",
].flatMap((line) => line.split(" "));

/** An exact amount with the decimals of its currency: "12.5" in EUR is "12.50". Those that are not zero stay, however many. */
export function inMinorDigits(amount: string, currency: string): string {
  const [whole = "", decimals = ""] = amount.split(".");
  const wanted = minorDigits(currency);
  const exact = decimals.slice(0, wanted).padEnd(wanted, "0") + decimals.slice(wanted).replace(/0+$/, "");
  return exact === "" ? whole : `${whole}.${exact}`;
}
