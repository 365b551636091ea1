import { seriesCover } from '../../../../lists/item/addresses.ts'
import { alcove, readerInAlcove } from '../../../../ui/emblem-shapes.ts'
import type { CoverItem, Ink, Picture, PictureItem } from './picture.ts'

interface PictureStyle {
  readonly isFromTheRight: boolean
  readonly sans: string
  readonly works: string
  readonly ground: string
  readonly raised: string
  readonly inks: Readonly<Record<Ink | 'track', string>>
}

/** The picture has the appearance of the page that it is made on: its colours, its letters, its direction. */
const styleOf = (element: HTMLElement): PictureStyle => {
  const computed = getComputedStyle(element)
  const colour = (name: string): string => computed.getPropertyValue(name).trim()
  return {
    isFromTheRight: computed.direction === 'rtl',
    sans: computed.fontFamily,
    works: colour('--font-works'),
    ground: colour('--surface'),
    raised: colour('--surface-raised'),
    inks: {
      text: colour('--text'),
      quiet: colour('--text-quiet'),
      accent: colour('--tone-text'),
      track: colour('--line-strong'),
    },
  }
}

/** It draws a picture once all its covers are here; `isWanted` says whether it still is to be drawn by then. */
export const paint = async (canvas: HTMLCanvasElement, picture: Picture, isWanted: () => boolean): Promise<void> => {
  const covers = new Map(
    await Promise.all(picture.items.flatMap((item) => (item.kind === 'cover' ? [loadCover(item)] : []))),
  )
  if (!isWanted()) return
  canvas.width = picture.width
  canvas.height = picture.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('There is nothing to draw on')
  const style = styleOf(canvas)
  context.fillStyle = style.ground
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = style.inks.accent
  context.fillRect(0, 0, picture.width, 12)
  const pen: Pen = { context, style, width: picture.width }
  for (const item of picture.items) draw(pen, item, covers)
}

type Covers = ReadonlyMap<string, HTMLImageElement | undefined>

/** One that cannot be fetched leaves its place empty. */
const loadCover = async ({ series, width }: CoverItem): Promise<readonly [string, HTMLImageElement | undefined]> => {
  const image = new Image()
  image.src = seriesCover(series, width)
  return image.decode().then(
    () => [series.id, image] as const,
    () => [series.id, undefined] as const,
  )
}

interface Pen {
  readonly context: CanvasRenderingContext2D
  readonly style: PictureStyle
  readonly width: number
}

const draw = (pen: Pen, item: PictureItem, covers: Covers): void => {
  if (item.kind === 'text') drawText(pen, item)
  else if (item.kind === 'bar') drawBar(pen, item)
  else if (item.kind === 'mark') drawMark(pen, item)
  else drawCover(pen, item, covers.get(item.series.id))
}

/** Where something begins from the left, that is so far from where lines begin. */
const leftOf = ({ style, width }: Pen, item: { readonly x: number; readonly width: number }): number =>
  style.isFromTheRight ? width - item.x - item.width : item.x

const smallest = 0.6
/** Letters of another size are not wider by exactly as much. */
const hair = 0.98

const drawText = (pen: Pen, item: Extract<PictureItem, { kind: 'text' }>): void => {
  const { context, style } = pen
  const fontOf = (size: number): string => `${item.weight} ${size}px ${item.isWork ? style.works : style.sans}`
  context.font = fontOf(item.size)
  context.direction = style.isFromTheRight ? 'rtl' : 'ltr'
  context.textAlign = item.align ?? 'start'
  context.textBaseline = 'alphabetic'
  context.fillStyle = style.inks[item.ink]
  const wide = context.measureText(item.text).width
  if (wide > item.width) context.font = fontOf(item.size * Math.max(smallest, (item.width / wide) * hair))
  const left = leftOf(pen, item)
  const x = item.align === 'center' ? left + item.width / 2 : style.isFromTheRight ? left + item.width : left
  context.fillText(fitting(context, item.text, item.width), x, item.y)
}

/** Letters that do not belong to others are not cut in two. */
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const fitting = (context: CanvasRenderingContext2D, text: string, width: number): string => {
  if (context.measureText(text).width <= width) return text
  const all = Array.from(letters.segment(text), ({ segment }) => segment)
  while (all.length > 1 && context.measureText(`${all.join('')}…`).width > width) all.pop()
  return `${all.join('').trimEnd()}…`
}

const drawBar = (pen: Pen, item: Extract<PictureItem, { kind: 'bar' }>): void => {
  const { context, style } = pen
  const { y, width, height, ink, isEstimate } = item
  const left = leftOf(pen, item)
  context.save()
  context.fillStyle = style.inks[ink]
  context.strokeStyle = style.inks[ink]
  context.lineWidth = 2
  context.globalAlpha = ink === 'quiet' ? 0.55 : 1
  context.beginPath()
  context.roundRect(left, y, width, height, [Math.min(6, height), Math.min(6, height), 0, 0])
  if (isEstimate) {
    // An estimate is hatched, here too.
    context.stroke()
    context.clip()
    context.beginPath()
    for (let from = -height; from < width; from += 9) {
      context.moveTo(left + from, y + height)
      context.lineTo(left + from + height, y)
    }
    context.stroke()
  } else context.fill()
  context.restore()
}

const fillShape = (context: CanvasRenderingContext2D, shape: Path2D): void => context.fill(shape)

const drawMark = (pen: Pen, item: Extract<PictureItem, { kind: 'mark' }>): void => {
  const { context, style } = pen
  context.save()
  context.translate(leftOf(pen, item), item.y)
  context.scale(item.width / 32, item.width / 32)
  context.fillStyle = style.inks.accent
  fillShape(context, new Path2D(alcove))
  context.fillStyle = style.ground
  fillShape(context, new Path2D(readerInAlcove))
  context.restore()
}

const drawCover = (pen: Pen, item: CoverItem, image: HTMLImageElement | undefined): void => {
  const { context, style } = pen
  const { y, width, height } = item
  const left = leftOf(pen, item)
  context.save()
  context.beginPath()
  context.roundRect(left, y, width, height, 8)
  context.fillStyle = style.raised
  context.fill()
  if (image) {
    context.clip()
    // It fills its place, from its top: what is too tall is cut off below.
    const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight)
    const [wide, tall] = [image.naturalWidth * scale, image.naturalHeight * scale]
    context.drawImage(image, left + (width - wide) / 2, y, wide, tall)
  }
  context.restore()
  context.strokeStyle = style.inks.track
  context.globalAlpha = 0.4
  context.stroke()
  context.globalAlpha = 1
}
