/** The mark of the app on a grid of 32: an alcove, and in it a reader with an open book. */
export const alcove = 'M4 29.5V14a12 12 0 0 1 24 0v15.5z'
export const readerInAlcove =
  'M13.1 10.6a2.9 2.9 0 1 0 5.8 0a2.9 2.9 0 1 0-5.8 0zM16 25.4c-2-1.7-4.6-2.3-7.6-2.3v-7.4c3 0 5.6.6 7.6 2.3 2-1.7 4.6-2.3 7.6-2.3v7.4c-3 0-5.6.6-7.6 2.3z'
