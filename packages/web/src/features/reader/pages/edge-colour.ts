import { useEffect, useState } from 'react'

const side = 16

/** The colour most of the edge of a picture has, as an average; undefined where a browser does not let us look. */
const edgeOf = (image: HTMLImageElement): string | undefined => {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  context.drawImage(image, 0, 0, side, side)
  const { data } = context.getImageData(0, 0, side, side)
  const sums = [0, 0, 0]
  let count = 0
  for (let pixel = 0; pixel < side * side; pixel += 1) {
    const [x, y] = [pixel % side, Math.floor(pixel / side)]
    if (x > 0 && x < side - 1 && y > 0 && y < side - 1) continue
    count += 1
    for (const [channel, sum] of sums.entries()) sums[channel] = sum + (data[pixel * 4 + channel] ?? 0)
  }
  return `rgb(${sums.map((sum) => Math.round(sum / count)).join(' ')})`
}

/** The ground takes the colour of the page in view, where somebody likes that; until it is known the last one stays. */
export const useEdgeColour = (isWanted: boolean, address: string): string | undefined => {
  const [colour, setColour] = useState<string>()
  useEffect(() => {
    if (!isWanted) return undefined
    let isStill = true
    const readColour = async (): Promise<void> => {
      const image = new Image()
      image.src = address
      await image.decode()
      if (isStill) setColour(edgeOf(image))
    }
    // A picture that cannot be decoded says so where it is shown.
    readColour().catch(() => undefined)
    return () => {
      isStill = false
    }
  }, [isWanted, address])
  return isWanted ? colour : undefined
}
