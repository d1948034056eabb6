// Certificates for localhost, made anew by each test that needs one: one that nobody trusts, or one of a private authority.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** One value of ASN.1 in DER. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const bytes = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 128 + bytes.length]), bytes, content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);

interface Party {
  readonly commonName: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const party = (commonName: string): Party => ({
  commonName,
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
});

export function selfSigned(): Certificate {
  const server = party('localhost');
  return certificateOf(server, server);
}

interface PrivateAuthority {
  /** PEM, for sslrootcert. */
  readonly ca: string;
  /** @param name in it, beside the address 127.0.0.1 where that is localhost */
  issue(name: string): Certificate;
}

export function privateAuthority(): PrivateAuthority {
  const authority = party('Private authority of a test');
  return {
    ca: certificateOf(authority, authority).cert,
    issue: (name) => certificateOf(party(name), authority),
  };
}

function certificateOf(subject: Party, issuer: Party): Certificate {
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const nameOf = ({ commonName }: Party) =>
    sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName)))));
  const time = (text: string) => der(0x17, Buffer.from(text));
  const isIssued = subject !== issuer;
  const names = sequence(
    der(0x82, Buffer.from(subject.commonName)),
    ...(subject.commonName === 'localhost' ? [der(0x87, Buffer.from([127, 0, 0, 1]))] : []),
  );
  const subjectAltName = sequence(Buffer.from('0603551d11', 'hex'), der(0x04, names));
  const body = sequence(
    ...(isIssued ? [der(0xa0, der(0x02, Buffer.from([2])))] : []),
    der(0x02, Buffer.from([isIssued ? 2 : 1])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time('200101000000Z'), time('491231235959Z')),
    nameOf(subject),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    ...(isIssued ? [der(0xa3, sequence(subjectAltName))] : []),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, issuer.privateKey));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: subject.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?!$)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
