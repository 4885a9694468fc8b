package corpus.refused;

@Descriptor interface DescriptorOfNothing { }
