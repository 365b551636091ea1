import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** The green of old copper: the only colour of ours, so that the covers are the colourful ones. */
const verdigris: MantineColorsTuple = [
  '#edf7f5',
  '#d9ece9',
  '#b1d8d2',
  '#84c3ba',
  '#5fb1a7',
  '#459f95',
  '#26796f',
  '#1f6f6b',
  '#175b57',
  '#0d4744',
]

/** Greys with a breath of green in them, as the tokens of base.css have. */
const gray: MantineColorsTuple = [
  '#f7f7f5',
  '#ecece8',
  '#e3e3de',
  '#d6d7d1',
  '#c2c5c0',
  '#a5aaa6',
  '#7f8581',
  '#5b605e',
  '#3c403e',
  '#1d1f1e',
]
const dark: MantineColorsTuple = [
  '#e9ebea',
  '#c9cdcb',
  '#a4aba8',
  '#7b827f',
  '#454a48',
  '#2c302e',
  '#262a28',
  '#1f2221',
  '#141615',
  '#0f1110',
]

/** Buttons that delete use this red: dark enough for white letters, light enough in the dark theme. */
const red: MantineColorsTuple = [
  '#fdf3f2',
  '#fbe9e7',
  '#ffd0ca',
  '#ffb4ab',
  '#ef8a80',
  '#dc5f55',
  '#c73d34',
  '#b3261e',
  '#93190f',
  '#6f1009',
]

/** The build makes a style sheet of the theme for Mantine's components: see build/mantine-variables.ts. */
export const theme = createTheme({
  colors: { verdigris, gray, dark, red },
  primaryColor: 'verdigris',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace",
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
})
