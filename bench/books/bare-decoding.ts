import { openPicture } from '../../packages/server/src/decoders/pictures.ts'
import { jpeg } from '../../packages/server/test/books/pictures.ts'

// The least a cover can cost: its JPEG decoded at the scale it is needed in, by the same library, and nothing kept.
const [count = 0, width = 0, height = 0, halved = 0] = process.argv.slice(2).map(Number)
const pictures = Array.from({ length: 8 }, (_, seed) => jpeg({ width, height, seed, detail: 10 }))
const decode = async (index: number): Promise<void> => {
  const { picture } = await openPicture(pictures[index % pictures.length] ?? Buffer.alloc(0))
  await picture.resize({ height: halved }).raw().toBuffer()
}
await decode(0)

const cpuBefore = process.cpuUsage()
for (let index = 0; index < count; index += 1) await decode(index)
const { user, system } = process.cpuUsage(cpuBefore)
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }))
