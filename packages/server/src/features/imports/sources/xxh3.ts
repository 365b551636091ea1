import type { LibraryFile } from '../../../platform/storage/library-files.ts'

/** XXH3 with 128 bits and seed 0, as its specification has it for what is longer than 240 bytes: no book is shorter. */
const shortestBytes = 241

const stripeBytes = 64
const stripesOfBlock = 16
const blockBytes = stripeBytes * stripesOfBlock
const pieceBytes = 1024 * blockBytes
const lanes = 8

const secret = Buffer.from(
  'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221' +
    'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8' +
    'fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb17' +
    '0ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
  'hex',
)
const lastSecret = secret.length - stripeBytes

const mask = 0xffff_ffff_ffff_ffffn
const prime32 = [0x9e37_79b1n, 0x85eb_ca77n, 0xc2b2_ae3dn] as const
const prime64 = [
  0x9e37_79b1_85eb_ca87n,
  0xc2b2_ae3d_27d4_eb4fn,
  0x1656_67b1_9e37_79f9n,
  0x85eb_ca77_c2b2_ae63n,
  0x27d4_eb2f_1656_67c5n,
] as const
const start = [prime32[2], prime64[0], prime64[1], prime64[2], prime64[3], prime32[1], prime64[4], prime32[0]]

type Readable = Pick<LibraryFile, 'size' | 'read'>

export const xxh3 = (file: Readable): string | undefined => {
  const { size } = file
  if (size < shortestBytes) return undefined
  const state = new Lanes()
  const blocks = Math.floor((size - 1) / blockBytes)
  const inBlocks = blocks * blockBytes
  for (let position = 0; position < inBlocks; position += pieceBytes) {
    const piece = file.read(position, Math.min(pieceBytes, inBlocks - position))
    for (let offset = 0; offset + blockBytes <= piece.length; offset += blockBytes) {
      for (let stripe = 0; stripe < stripesOfBlock; stripe += 1)
        state.take(piece, offset + stripe * stripeBytes, stripe * lanes)
      state.scramble()
    }
  }
  const rest = file.read(inBlocks, size - inBlocks)
  const stripes = Math.floor((rest.length - 1) / stripeBytes)
  for (let stripe = 0; stripe < stripes; stripe += 1) state.take(rest, stripe * stripeBytes, stripe * lanes)
  state.take(file.read(size - stripeBytes, stripeBytes), 0, lastSecret - 7)
  const length = BigInt(size)
  const low = merged(state, 11, (length * prime64[0]) & mask)
  const high = merged(state, lastSecret - 11, ~(length * prime64[1]) & mask)
  return high.toString(16).padStart(16, '0') + low.toString(16).padStart(16, '0')
}

/** Eight numbers of 64 bits, each as its halves: a loop over a whole file is too much for big integers. */
class Lanes {
  readonly #low = Uint32Array.from(start, (value) => Number(value & 0xffff_ffffn))
  readonly #high = Uint32Array.from(start, (value) => Number(value >> 32n))

  take(input: Buffer, offset: number, secretOffset: number): void {
    for (let lane = 0; lane < lanes; lane += 1) {
      const laneOffset = offset + 8 * lane
      const low = input.readUInt32LE(laneOffset)
      const high = input.readUInt32LE(laneOffset + 4)
      this.#add(lane ^ 1, low, high)
      const a = (low ^ secret.readUInt32LE(secretOffset + 8 * lane)) >>> 0
      const b = (high ^ secret.readUInt32LE(secretOffset + 8 * lane + 4)) >>> 0
      this.#add(lane, Math.imul(a, b) >>> 0, highOf(a, b))
    }
  }

  scramble(): void {
    for (let lane = 0; lane < lanes; lane += 1) {
      const [low = 0, high = 0] = [this.#low[lane], this.#high[lane]]
      // What is shifted right by 47 leaves nothing of the lower half.
      const mixedLow = (low ^ (high >>> 15) ^ secret.readUInt32LE(lastSecret + 8 * lane)) >>> 0
      const mixedHigh = (high ^ secret.readUInt32LE(lastSecret + 8 * lane + 4)) >>> 0
      const factor = Number(prime32[0])
      this.#low[lane] = Math.imul(mixedLow, factor) >>> 0
      this.#high[lane] = highOf(mixedLow, factor) + Math.imul(mixedHigh, factor)
    }
  }

  value(lane: number): bigint {
    return (BigInt(this.#high[lane] ?? 0) << 32n) | BigInt(this.#low[lane] ?? 0)
  }

  #add(lane: number, low: number, high: number): void {
    const sum = (this.#low[lane] ?? 0) + low
    this.#low[lane] = sum
    this.#high[lane] = (this.#high[lane] ?? 0) + high + (sum > 0xffff_ffff ? 1 : 0)
  }
}

/** The upper half of the product of two numbers of 32 bits. */
const highOf = (a: number, b: number): number => {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16]
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16)
  return (aHigh * bHigh + Math.floor(middle / 65_536) + (((middle & 0xffff) + aLow * bHigh) >>> 16)) >>> 0
}

const merged = (state: Lanes, secretOffset: number, from: bigint): bigint => {
  let sum = from
  for (let pair = 0; pair < lanes / 2; pair += 1) {
    const offset = secretOffset + 16 * pair
    const product =
      (state.value(2 * pair) ^ secret.readBigUInt64LE(offset)) *
      (state.value(2 * pair + 1) ^ secret.readBigUInt64LE(offset + 8))
    sum += (product & mask) ^ (product >> 64n)
  }
  const mixed = sum & mask
  const spread = ((mixed ^ (mixed >> 37n)) * 0x1656_6791_9e37_79f9n) & mask
  return spread ^ (spread >> 32n)
}
