const type = 'image/png'

const fileOf = (canvas: HTMLCanvasElement, name: string): Promise<File> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(new File([blob], name, { type }))
      else reject(new Error('There is no picture'))
    }, type)
  })

export const savePicture = async (canvas: HTMLCanvasElement, name: string): Promise<void> => {
  const address = URL.createObjectURL(await fileOf(canvas, name))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Browsers have taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Whether the device has something to share pictures with; only where the app is served encrypted. */
export const mayShare = (name: string): boolean =>
  'canShare' in navigator && navigator.canShare({ files: [new File([], name, { type })] })

export const sharePicture = async (canvas: HTMLCanvasElement, name: string): Promise<void> => {
  const files = [await fileOf(canvas, name)]
  // Whoever thinks better of it closes the window of their device, which is no fault.
  await navigator.share({ files }).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  })
}
