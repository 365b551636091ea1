import sharp from 'sharp'

export interface Pixels {
  readonly width: number
  readonly height: number
  readonly at: (x: number, y: number) => readonly [red: number, green: number, blue: number]
}

/** The pixels of a picture, of whatever kind. */
export const pixelsOf = async (picture: Buffer): Promise<Pixels> => {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return {
    width,
    height,
    at: (x, y) => {
      const start = (y * width + x) * channels
      return [data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0]
    },
  }
}
