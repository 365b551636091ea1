import { useViewportSize } from '@mantine/hooks'

export const useWindowSize = (): { readonly width: number; readonly height: number } => {
  const { width, height } = useViewportSize()
  // Before the first measurement there is none: the window itself knows.
  return { width: width || globalThis.innerWidth, height: height || globalThis.innerHeight }
}
