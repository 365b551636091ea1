/** A member of a TAR archive; `type` is the letter of its kind: `0` a file, `5` a folder, `2` a link. */
export interface TarMember {
  readonly name: string
  readonly bytes?: Buffer
  readonly type?: string
  /** A name of more than 100 bytes is written like this. */
  readonly longName?: 'pax' | 'gnu' | 'prefix'
  /** The header states this size, whatever is true. */
  readonly size?: number
  /** The size as a binary number, as for what is larger than 8 GiB. */
  readonly hasBinarySize?: boolean
}

const block = 512

/** A header alone, with its checksum. */
export const tarHeader = (member: TarMember): Buffer => {
  const header = Buffer.alloc(block)
  const isSplit = member.longName === 'prefix'
  const slash = isSplit ? member.name.lastIndexOf('/') : -1
  header.write(member.name.slice(slash + 1), 0, 100)
  if (isSplit) header.write(member.name.slice(0, slash), 345, 155)
  header.write('0000644\0', 100)
  writeSize(header, member.size ?? member.bytes?.length ?? 0, member.hasBinarySize === true)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(member.type ?? '0', 156)
  if (member.longName === 'gnu') header.write('ustar  \0', 257)
  else header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const writeSize = (header: Buffer, size: number, isBinary: boolean): void => {
  if (!isBinary) {
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
    return
  }
  header[124] = 0x80
  header.writeBigUInt64BE(BigInt(size), 128)
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.ceil(bytes.length / block) * block - bytes.length)])

/** A record of an extended header, its length counting itself. */
export const paxRecord = (key: string, value: string): Buffer => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

const beforeMember = (member: TarMember): Buffer[] => {
  if (member.longName === 'pax') {
    const bytes = paxRecord('path', member.name)
    return [tarHeader({ name: 'PaxHeader', type: 'x', bytes }), padded(bytes)]
  }
  if (member.longName === 'gnu') {
    const bytes = Buffer.from(`${member.name}\0`)
    return [tarHeader({ name: '././@LongLink', type: 'L', longName: 'gnu', bytes }), padded(bytes)]
  }
  return []
}

export const tarArchive = (members: readonly TarMember[], options: { readonly hasEnd?: boolean } = {}): Buffer =>
  Buffer.concat([
    ...members.flatMap((member) => [
      ...beforeMember(member),
      tarHeader(member),
      padded(member.bytes ?? Buffer.alloc(0)),
    ]),
    Buffer.alloc(options.hasEnd === false ? 0 : 2 * block),
  ])
