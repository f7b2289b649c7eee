import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openKernel, type Plugin } from "framewright/kernel";
import {
  aspNetHashes,
  bcryptHashes,
  djangoHashes,
  type PasswordHasher,
  passwords,
  werkzeugHashes,
} from "framewright/plugins/passwords";
import { temporaryFolder } from "../../generators/support.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

const PASSWORD = "lètmein orchard";
// Made by the systems themselves: Django 5.2, Werkzeug 3, bcrypt 5 of Python; crypt_blowfish's and ASP.NET Core's own tests.
const django = [
  "pbkdf2_sha256$1000000$seasalt$Q2ox4j356zGw5GgL3c5pSRWlOeBF7B0bpQyvoMWO2h4=",
  "pbkdf2_sha1$1000000$seasalt$jVYai0mryeZTJvv9AGtsDitpecA=",
  "scrypt$16384$seasalt$8$5$+Qw4HjrP6NnFKqE60L+4XQyXlOfv7bIJJfZ5ihqtGeMK9XarXn3v3GF0vwv8wXhjXN2hB+CZEnvnygEJw9GmNA==",
  "bcrypt_sha256$$2b$06$L8oGWNktXP4r6lBM/Bs09O3jSoxzfDjpTEKRtkcGQTPeIGokbR5G2",
  "bcrypt$$2b$06$T5BLYcbhJQPm3n9rBaJ2secI4kjjsC8gYl3Hl7li0TeatRG5BN6rW",
  "argon2$argon2id$v=19$m=102400,t=2,p=8$OTdtd0I3WmVuUVpHcXptTkRTdm1EUw$E21AcAWB18Tyh10/yP/OgIOCEney0rxnduztPxSC8CI",
];
const werkzeug = [
  "scrypt:32768:8:1$etleRGvACcv1i03F$f05c4505fd91e60216b235955b16c86caadc486b7d440b81d059a3961b318aabc382a963fa5415080505e7606808917d6c48100686410ce17f87a28687b62d77",
  "pbkdf2:sha256:5000$8dlCuXNajWchPBmf$6d4f0ea58043f07cf487968d10223388e38395fba2baee5b6efe5dca64c83fd1",
  "pbkdf2:sha1:1000$yykiGE0kd8FbOlNP$f316fb98886f996ce338f1a4961e417bed22ba71",
];
const aspNet = [
  "AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==",
  "AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M",
  "AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=",
  "AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg/Q8A0WMKbtHQJQ2DHCdoEeeFBrgNlldq6vH4qX/CGqGQ==",
];
const cheap = { memory: 64, iterations: 1, workers: 1 };
const all = [
  bcryptHashes({ like: "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW" }),
  djangoHashes({ like: django[3]! }),
  werkzeugHashes({ like: werkzeug[2]! }),
  aspNetHashes({ like: aspNet[1]! }),
];

async function withHasher(foreign: typeof all, work: (hasher: PasswordHasher) => Promise<void>): Promise<void> {
  const plugins: readonly Plugin[] = [passwords({ ...cheap, foreign })];
  const kernel = await openKernel(plugins, { settings: {} as never });
  try {
    await work(kernel.service("passwordHasher"));
  } finally {
    await kernel.close();
  }
}

describe("Password hashes of other systems", (it) => {
  it("Hashes of Django, Werkzeug and ASP.NET Core verify only their own password, and need a rehash", () =>
    withHasher(all, async (hasher) => {
      const lines = [
        ...[...django, ...werkzeug].map((hash) => [PASSWORD, hash] as const),
        ...aspNet.map((hash) => ["my password", hash] as const),
      ];
      for (const [password, hash] of lines) {
        assert.is(await hasher.verify(password, hash), true, hash);
        assert.is(await hasher.verify(`${password}.`, hash), false, hash);
        assert.is(hasher.needsRehash(hash), true, hash);
      }
    }));
  it("A bcrypt hash verifies by the first 72 bytes of its password, also with a pepper of Devise", () =>
    withHasher([bcryptHashes()], async (hasher) => {
      assert.ok(await hasher.verify("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"));
      assert.not(await hasher.verify("U*V", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"));
      const long = "$2b$05$.NOo3DWKNpYZ63W80FEIiOPknY/93sfSDTWVk53f4rNt0q0Gd6Bdy";
      assert.ok(await hasher.verify(`${"a".repeat(72)}tail`, long));
      assert.not(await hasher.verify("a".repeat(71), long));
    }).then(() =>
      withHasher([bcryptHashes({ pepper: "devise-pepper" })], async (hasher) => {
        const peppered = "$2a$05$vpAlaCMZ6iBFJTQXg2cpDeCfSKQiH5Aq.kCoFq/XSt0DT9LHMlhii";
        assert.ok(await hasher.verify(PASSWORD, peppered));
        assert.not(await hasher.verify(`${PASSWORD}devise-pepper!`, peppered));
      }),
    ));
  it("A foreign hash that is malformed, too expensive or of an unlisted kind verifies as false", () =>
    withHasher(all, async (hasher) => {
      const bad = [
        "", "$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "pbkdf2_sha256$99000000$a$Q2ox4j356zGw5GgL3c5pSQ==",
        "pbkdf2_sha256$1.5$a$Q2ox4j356zGw5GgL3c5pSQ==", "scrypt$3$a$8$1$Q2ox4j356zGw5GgL3c5pSQ==", "scrypt:1073741824:8:1$a$00112233445566778899aabbccddeeff",
        "pbkdf2:md5:1$a$00112233445566778899aabbccddeeff", "AQAAAAkAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M", "!unusable",
      ]; // biome-ignore format: a list to read
      for (const hash of bad) assert.is(await hasher.verify("x", hash), false, hash);
      assert.is(await hasher.verify("", django[4]!), false);
    }).then(() =>
      withHasher([], async (hasher) => {
        assert.is(await hasher.verify(PASSWORD, django[4]!), false);
        assert.is(hasher.foreign, undefined);
      }),
    ));
  it("Verifying a password without a hash takes about as long as verifying an imported hash", () =>
    withHasher([bcryptHashes({ like: `$2b$11$${"A".repeat(53)}` })], async (hasher) => {
      const time = async (hash: string | undefined) => {
        const begun = performance.now();
        assert.is(await hasher.foreign!.verify("a wrong one", hash), false);
        return performance.now() - begun;
      };
      await time(undefined);
      const [none, some] = [await time(undefined), await time(`$2b$11$${"B".repeat(21)}O${"B".repeat(31)}`)];
      assert.ok(none > 20 && none / some < 3 && some / none < 3, `${none} ms, ${some} ms`);
    }));
  it("The kind of docs/coming-from/adonisjs.md verifies what @adonisjs/hash 10 made", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/coming-from/adonisjs.md"), "utf8");
    const file = join(temporaryFolder(), "adonis_hashes.ts");
    writeFileSync(file, /^```ts lib\/adonis_hashes\.ts\n([\s\S]*?)^```$/m.exec(page)![1]!);
    const { adonisHashes } = (await import(pathToFileURL(file).href)) as { adonisHashes: (typeof all)[number] };
    const hash =
      "$scrypt$n=16384,r=8,p=1$oodR0jSXO7wrGK2QtAL/Sw$DJG4urfOmmHgJOM4u2pOlhlSJZvjrgtVGK5X4DxuJHahOTpVh8d4xNehNIGceHywrRBI4o9rBlTgmtoxOFJUKA";
    await withHasher([adonisHashes], async (hasher) => {
      assert.is(await hasher.verify("secret-Pass ñ", hash), true);
      assert.is(await hasher.verify("secret-Pass n", hash), false);
      assert.is(hasher.needsRehash(hash), true);
    });
  });
  it("An example hash of another kind fails with FW_PASSWORD_FOREIGN, and a foreign kind by name with FW_OPTION_INVALID", async () => {
    await throwsCode("FW_PASSWORD_FOREIGN", () => withHasher([djangoHashes({ like: "$2b$05$" })], async () => {}));
    await throwsCode("FW_OPTION_INVALID", () => passwords({ foreign: ["bcrypt"] as never }));
  });
});
