import sharp from 'sharp'
import { expect, test } from 'vitest'
import { plainPicture } from './plain-picture.ts'

const colourAt = async (picture: Buffer, row: number): Promise<number[]> => {
  const strip = { left: 0, top: row, width: 200, height: 1 }
  const { data } = await sharp(picture).extract(strip).raw().toBuffer({ resolveWithObject: true })
  const colours = new Set(
    Array.from({ length: 200 }, (_, index) => [...data.subarray(index * 3, index * 3 + 3)].join()),
  )
  expect(colours.size).toBe(1)
  return [...data.subarray(0, 3)]
}

test('a book without a cover has a small JPEG of a board with a band, in a colour of its own', async () => {
  const pictures = Array.from({ length: 50 }, (_, index) => plainPicture(`Title ${index}`))
  for (const picture of pictures) {
    expect(await sharp(picture, { failOn: 'warning' }).metadata()).toMatchObject({
      format: 'jpeg',
      width: 200,
      height: 300,
    })
    expect(picture.length).toBeLessThan(1500)
    const [board, band] = await Promise.all([colourAt(picture, 100), colourAt(picture, 230)])
    expect(Math.max(...band)).toBeGreaterThan(Math.max(...board) + 20)
    expect(await colourAt(picture, 299)).toEqual(board)
  }
  const boards = new Set(await Promise.all(pictures.map(async (picture) => (await colourAt(picture, 0)).join())))
  expect(boards.size).toBeGreaterThan(25)
})
