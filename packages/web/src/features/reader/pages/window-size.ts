import { useViewportSize } from '@mantine/hooks'

export const useWindowSize = (): { readonly width: number; readonly height: number } => {
  const { width, height } = useViewportSize()
  // Before the first measurement the size of the window itself is used.
  return { width: width || globalThis.innerWidth, height: height || globalThis.innerHeight }
}
