package android.npumanager;

import android.npumanager.BufferType;
import android.npumanager.FileSegment;

/** One buffer that a client wants. */
parcelable NpuBufferGetRequest {
    /** Neither eager to keep the buffer nor eager to give it up. */
    const int BUFFER_PRIORITY_DEFAULT = 500;

    /** The buffer may be mapped for reading. */
    const int PROT_READ = 0x1;

    /** The client's name for the buffer. */
    long appReqId;

    /** Which NPU it is for; negative means none was chosen. */
    int deviceNumber = -1;

    /** What it will hold. */
    BufferType bufferType = BufferType.UNKNOWN;

    /** Its size in bytes. */
    long size;

    /** From 0, the last to be taken away, to 1000, the first. */
    int bufferPriority = BUFFER_PRIORITY_DEFAULT;

    /** What to load into it once it is allocated. */
    @nullable FileSegment fileSegmentToLoad;

    /** How it may be mapped; fixed for the life of the buffer. */
    int protectionFlags = PROT_READ;
}
