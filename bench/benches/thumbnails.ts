import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openPicture } from '../../packages/server/src/decoders/pictures.ts'
import { openDecoders } from '../../packages/server/src/decoders/pool.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { jpeg } from '../../packages/server/test/books/pictures.ts'
import type { Bench, Figure } from '../figure.ts'
import { childrenNamed, cpuUsOf } from '../process-figures.ts'

const run = promisify(execFile)
const bareDecoding = fileURLToPath(new URL('../books/bare-decoding.ts', import.meta.url))
const rounds = 5
const covers = 40
const page = { width: 2000, height: 3000 }
/** The settings have these values: a large picture is twice as large as this. */
const sizes = { edge: 400, quality: 85 }
/** The smallest scale a JPEG decoder knows that is not smaller than the large picture. */
const halved = page.height / 2
const kinds = ['jpeg', 'png', 'webp'] as const
const enough = { min: 0.75 }

/** Covers of pages of 2000 × 3000, both sizes and the placeholder, by one decoder. */
export const thumbnails: Bench = {
  names: kinds.map((kind) => `thumb.${kind}`),
  run: async () => {
    const log = createLog({ level: 'warn', format: 'json' })
    const decoders = openDecoders({ log, size: 1, niceness: 0 })
    try {
      const pictures = await makePictures()
      const make = async (kind: Kind): Promise<number> => {
        const [before] = cpuOfDecoders()
        for (let index = 0; index < covers; index += 1) {
          const bytes = pictures[kind][index % pictures[kind].length] ?? Buffer.alloc(0)
          const { width, height } = await decoders.run('cover', { bytes, sizes })
          if (width !== 533 || height !== 800) throw new Error(`Expected 533 × 800, got ${width} × ${height}`)
        }
        const [after] = cpuOfDecoders()
        return ((after ?? Number.NaN) - (before ?? Number.NaN)) / 1000 / covers
      }
      await make('jpeg')
      const least: number[] = []
      const ours: Record<Kind, number[]> = { jpeg: [], png: [], webp: [] }
      for (let round = 0; round < rounds; round += 1) {
        least.push(await decodeBare())
        for (const kind of kinds) ours[kind].push(await make(kind))
      }
      return figuresOf(least, ours)
    } finally {
      await decoders.close()
    }
  },
}

type Kind = (typeof kinds)[number]

const cpuOfDecoders = (): number[] => childrenNamed(process.pid, 'decoders').map(cpuUsOf)

const makePictures = async (): Promise<Record<Kind, Buffer[]>> => {
  const jpegs = Array.from({ length: 8 }, (_, seed) => jpeg({ ...page, seed, detail: 10 }))
  const opened = await Promise.all(jpegs.map(openPicture))
  const pngs = await Promise.all(opened.map(({ picture }) => picture.clone().png({ compressionLevel: 3 }).toBuffer()))
  const webps = await Promise.all(opened.map(({ picture }) => picture.clone().webp({ effort: 0 }).toBuffer()))
  return { jpeg: jpegs, png: pngs, webp: webps }
}

const decodeBare = async (): Promise<number> => {
  const args = [covers, page.width, page.height, halved].map(String)
  const { stdout } = await run(process.execPath, [bareDecoding, ...args])
  return (JSON.parse(stdout) as { cpuMs: number }).cpuMs / covers
}

const figuresOf = (least: readonly number[], ours: Readonly<Record<Kind, readonly number[]>>): Figure[] => [
  { name: 'thumb, decoding of the JPEG alone, CPU', unit: 'ms', values: least },
  ...kinds.map((kind) => ({ name: `thumb.${kind}, CPU of one`, unit: 'ms', values: ours[kind] })),
  {
    name: 'thumb.jpeg of decoding alone, by CPU',
    unit: '× limit',
    values: ours.jpeg.map((ms, round) => (least[round] ?? Number.NaN) / ms),
    gate: enough,
  },
]
