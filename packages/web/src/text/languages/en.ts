export { default as common } from '../../ui/strings/en.json'

export const others = import.meta.glob<object>(
  [
    '../../{lists,metadata}/strings/en.json',
    '../../frame/palette/strings/en.json',
    '../../features/**/strings/en.json',
  ],
  { import: 'default' },
)
