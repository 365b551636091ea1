import type { Page } from 'playwright-core'

export interface TextOnPixels {
  readonly text: string
  /** The contrast with the pixel beneath it on which it is hardest to read. */
  readonly contrast: number
}

/**
 * It measures the text of one element by the pixels that it stands on: where each line stands is noted, all text is made invisible, and
 * what is left is photographed. A style sheet says nothing of text on pictures. The desk is an empty page: the policy of the app allows no
 * pictures that are made of text.
 */
export const contrastsWithin = async (page: Page, selector: string, desk: Page): Promise<readonly TextOnPixels[]> => {
  const texts = await page.evaluate(`(${placeTexts})(${JSON.stringify(selector)})`)
  await page.evaluate(`(${hideTexts})(${JSON.stringify(selector)})`)
  const picture = (await page.screenshot()).toString('base64')
  await page.evaluate(`(${showTexts})(${JSON.stringify(selector)})`)
  return desk.evaluate<TextOnPixels[]>(`(${compare})(${JSON.stringify({ picture, texts })})`)
}

/** Each piece of text with its colour, how far one sees through it, and its boxes as far as nothing cuts them off. */
const placeTexts = `(selector) => {
  const top = document.querySelector(selector)
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    const text = node.textContent.trim()
    if (text === '' || !node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    let opacity = 1
    let [left, upper, right, lower] = [0, 0, innerWidth, innerHeight]
    for (let each = node.parentElement; each; each = each.parentElement) {
      const style = getComputedStyle(each)
      opacity *= Number(style.opacity)
      if (style.overflow === 'visible' || each === document.documentElement || each === document.body) continue
      const box = each.getBoundingClientRect()
      left = Math.max(left, box.left); upper = Math.max(upper, box.top)
      right = Math.min(right, box.right); lower = Math.min(lower, box.bottom)
    }
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = [...range.getClientRects()]
      .map((box) => [Math.max(box.left, left), Math.max(box.top, upper), Math.min(box.right, right), Math.min(box.bottom, lower)].map(Math.round))
      .filter(([x1, y1, x2, y2]) => x2 - x1 > 1 && y2 - y1 > 1)
    if (boxes.length > 0) texts.push({ text, opacity, boxes, colour: getComputedStyle(node.parentElement).color })
  }
  return texts
}`

const hideTexts = `(selector) => {
  for (const each of document.querySelectorAll(selector + ' *')) each.style.setProperty('color', 'transparent', 'important')
}`

const showTexts = `(selector) => {
  for (const each of document.querySelectorAll(selector + ' *')) each.style.removeProperty('color')
}`

const compare = `async ({ picture, texts }) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const paper = canvas.getContext('2d', { willReadFrequently: true })
  paper.drawImage(bitmap, 0, 0)
  const pot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgba = (colour) => {
    pot.clearRect(0, 0, 1, 1)
    pot.fillStyle = colour
    pot.fillRect(0, 0, 1, 1)
    return pot.getImageData(0, 0, 1, 1).data
  }
  const linear = (byte) => (byte / 255 <= 0.03928 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4)
  const lightness = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  return texts.map(({ text, colour, opacity, boxes }) => {
    const ink = rgba(colour)
    const cover = (ink[3] / 255) * opacity
    let contrast = Infinity
    for (const [x1, y1, x2, y2] of boxes) {
      const { data } = paper.getImageData(x1, y1, x2 - x1, y2 - y1)
      const known = new Set()
      for (let at = 0; at < data.length; at += 4) {
        const key = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2]
        if (known.has(key)) continue
        known.add(key)
        const ground = [data[at], data[at + 1], data[at + 2]]
        const one = lightness(ground)
        const other = lightness(ground.map((byte, index) => ink[index] * cover + byte * (1 - cover)))
        contrast = Math.min(contrast, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05))
      }
    }
    return { text, contrast }
  })
}`
