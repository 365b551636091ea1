import { array, assert, boolean, constantFrom, double, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type Fit, fittingScale, clampView, panned, pinched, startView, type View, zoomedAt, zoomMax } from './zoom.ts'

const size = record({ width: integer({ min: 1, max: 20_000 }), height: integer({ min: 1, max: 20_000 }) })
const window = record({ width: integer({ min: 320, max: 3840 }), height: integer({ min: 300, max: 2160 }) })
const fit = constantFrom<Fit>('smart', 'screen', 'width', 'height', 'original')
const point = record({ x: integer({ min: 0, max: 3840 }), y: integer({ min: 0, max: 2160 }) })
const factor = double({ min: 0.2, max: 5, noNaN: true })

const isInPlace = ({ scale, x, y }: View, content: { width: number; height: number }, window: typeof content) => {
  for (const [start, length, room] of [
    [x, content.width * scale, window.width],
    [y, content.height * scale, window.height],
  ] as const) {
    if (length <= room) expect(start).toBeCloseTo((room - length) / 2, 3)
    else {
      expect(start).toBeLessThanOrEqual(0.001)
      expect(start + length).toBeGreaterThanOrEqual(room - 0.001)
    }
  }
}

test('each fit does what it says, for pages of one pixel and of twenty thousand', () => {
  assert(
    property(size, window, (content, window) => {
      const scaled = (fit: Fit) => {
        const scale = fittingScale(fit, content, window)
        return { scale, width: content.width * scale, height: content.height * scale }
      }
      expect(scaled('width').width).toBeCloseTo(window.width, 3)
      expect(scaled('height').height).toBeCloseTo(window.height, 3)
      expect(scaled('original').scale).toBe(1)
      expect(scaled('screen').scale).toBeLessThanOrEqual(1)
      for (const each of ['smart', 'screen'] as const) {
        expect(scaled(each).width).toBeLessThanOrEqual(window.width + 0.01)
        expect(scaled(each).height).toBeLessThanOrEqual(window.height + 0.01)
      }
    }),
  )
})

test('however one zooms and pans, no empty edge shows and nothing is smaller than it fits', () => {
  const step = record({ factor, point, isPan: boolean() })
  assert(
    property(size, window, fit, array(step), (content, window, fit, steps) => {
      const fitting = fittingScale(fit, content, window)
      const room = { content, window, fitting }
      let view = startView(fitting, room, false)
      isInPlace(view, content, window)
      for (const { factor, point, isPan } of steps) {
        view = isPan ? panned(view, { x: point.x - 500, y: point.y - 500 }, room) : zoomedAt(view, factor, point, room)
        isInPlace(view, content, window)
        expect(view.scale).toBeGreaterThanOrEqual(fitting * 0.999)
        expect(view.scale).toBeLessThanOrEqual(fitting * zoomMax * 1.001)
      }
    }),
  )
})

test('what is under the finger stays under it, where no edge is in the way', () => {
  const content = { width: 4000, height: 4000 }
  const window = { width: 1000, height: 1000 }
  const room = { content, window, fitting: 0.25 }
  const middle = { x: 500, y: 500 }
  const view = clampView({ scale: 1, x: -1500, y: -1500 }, content, window)
  const under = (point: typeof middle, { scale, x, y }: View) => [(point.x - x) / scale, (point.y - y) / scale]
  assert(
    property(double({ min: 0.6, max: 1.9, noNaN: true }), (factor) => {
      const zoomed = zoomedAt(view, factor, middle, room)
      expect(under(middle, zoomed)[0]).toBeCloseTo(under(middle, view)[0] ?? 0, 3)
      const spread = (width: number) =>
        [
          { x: 500 - width, y: 500 },
          { x: 500 + width, y: 500 },
        ] as const
      expect(pinched(view, spread(100), spread(100 * factor), room).scale).toBeCloseTo(factor, 3)
    }),
  )
})

test('one begins to read at the upper corner of the side one reads from', () => {
  const room = { content: { width: 2000, height: 3000 }, window: { width: 1000, height: 800 } }
  expect(startView(1, room, false)).toEqual({ scale: 1, x: 0, y: 0 })
  expect(startView(1, room, true)).toEqual({ scale: 1, x: -1000, y: 0 })
})
