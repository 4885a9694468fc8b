"""Protected NPU buffers: wrapfd driver and DMA-BUF heaps, real or stand-ins, allocator and NDK client.

Layers, lowest first: `wrapfd` and `dmabuf` (numbers, structs and the calls of the two kernel interfaces),
`areas` and `rules` (what the wrapfd driver does, as pure tables; `profiles` are its generations), `memory`
(content in memory files), `standin` (the rules on such files) or `kernel` (the real devices), `heap_config`,
`allocator` (INpuAllocator) with `preemption`, and on the other side `ndk` with `buffer_state`.
"""
