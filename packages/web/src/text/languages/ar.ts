export { default as common } from '../../ui/strings/ar.json'

export const others = import.meta.glob<object>(
  [
    '../../{lists,metadata}/strings/ar.json',
    '../../frame/palette/strings/ar.json',
    '../../features/**/strings/ar.json',
  ],
  { import: 'default' },
)
